import { type EventBatch, eventAt, REFUND } from '../contracts/eventBatch'
import { finiteOrNull } from '../contracts/instant'
import type { JournalRecord } from '../contracts/journalRecord'
import { toDecimal } from '../contracts/money'
import { stringAt } from '../contracts/stringTable'
import type { LateEvent, MissedWindows, WindowRow } from '../contracts/windowRow'
import { toMeasures } from '../engine/aggregate/measures'
import type { LateOutcome, MissedOutcome } from '../engine/outcome'
import type { Row } from '../engine/row'
import type { EngineState } from '../engine/state'

/** A row as of now, as it is stored. */
export function toWindowRow(row: Row, state: EngineState): WindowRow {
  return {
    view: row.view,
    version: row.version,
    start: row.start,
    end: row.end,
    windowId: row.windowId,
    currency: row.key.currency,
    dims: row.key.dims,
    ...toMeasures(row.values),
    status: row.status,
    revision: row.revision,
    byInactivity: row.byInactivity,
    leftOut: row.leftOut,
    firedAt: row.firedAt,
    updatedAt: state.at,
    watermark: finiteOrNull(state.clock.watermark),
    pos: state.position,
    sketches: row.sketches && { orders: base64(row.sketches.orders), buyers: base64(row.sketches.buyers) },
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/** A late event with all that the late store keeps of it. */
export function toLateEvent(late: LateOutcome, batch: EventBatch, record: JournalRecord): LateEvent {
  const event = eventAt(batch, late.row)
  return {
    source: event.source,
    eventId: event.eventId,
    orderId: event.orderId,
    userId: event.userId,
    type: event.type === REFUND ? 'refund' : 'order',
    amount: toDecimal({ hi: event.amountHi, lo: event.amountLo }),
    currency: event.currency,
    eventTime: event.eventTime,
    dimensions: Object.fromEntries(event.dimensions),
    windowStart: late.windowStart,
    windowEnd: late.windowEnd,
    watermark: late.watermark,
    lateBy: late.lateBy,
    receivedAt: event.journalTime,
    position: record.position,
    row: late.row,
    seen: 1,
  }
}

/** An event that some of its windows were closed to. */
export function toMissed(missed: MissedOutcome, batch: EventBatch, record: JournalRecord): MissedWindows {
  const { row } = missed
  return {
    ...missed,
    source: stringAt(batch.strings, batch.source[row] ?? 0),
    eventId: stringAt(batch.strings, batch.eventId[row] ?? 0),
    eventTime: batch.eventTime[row] ?? 0,
    receivedAt: batch.journalTime[row] ?? 0,
    position: record.position,
  }
}

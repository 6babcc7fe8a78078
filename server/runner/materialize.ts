import { type EventBatch, type EventFields, eventAt, REFUND } from '../contracts/eventBatch'
import type { LateChangeDone, RecordOutcome } from '../contracts/flush'
import { finiteOrNull } from '../contracts/instant'
import type { JournalRecord } from '../contracts/journalRecord'
import { toDecimal } from '../contracts/money'
import { stringAt } from '../contracts/stringTable'
import type { LateEvent, MissedWindows, WindowRow } from '../contracts/windowRow'
import { toMeasures } from '../engine/aggregate/measures'
import type { LateOutcome, LateOutcomeChange, MissedOutcome, StepOutcome } from '../engine/outcome'
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
  return {
    ...fieldsOf(eventAt(batch, late.row)),
    windowStart: late.windowStart,
    windowEnd: late.windowEnd,
    watermark: late.watermark,
    lateBy: late.lateBy,
    position: record.position,
    row: late.row,
    seen: 1,
  }
}

function fieldsOf(event: EventFields) {
  return {
    source: event.source,
    eventId: event.eventId,
    orderId: event.orderId,
    userId: event.userId,
    type: event.type === REFUND ? ('refund' as const) : ('order' as const),
    amount: toDecimal({ hi: event.amountHi, lo: event.amountLo }),
    currency: event.currency,
    eventTime: event.eventTime,
    dimensions: Object.fromEntries(event.dimensions),
    receivedAt: event.journalTime,
  }
}

/** What a command changed; a voided event was never late, so it is late by nothing. */
export function toLateChange(
  { voided, ...change }: LateOutcomeChange,
  { position: by }: JournalRecord,
): LateChangeDone {
  if (!voided) return { ...change, by, voided: null }
  const { event, windowStart, windowEnd } = voided
  const { position, row } = change
  const place = { windowStart, windowEnd, watermark: null, lateBy: 0, position, row, seen: 0 }
  return { ...change, by, voided: { ...fieldsOf(event), ...place } }
}

/** null: all of the record's events were counted in time, as those of most are. */
export function toRecordOutcome(
  { uncounted, corrected }: StepOutcome,
  count: number,
  position: number,
): RecordOutcome | null {
  if (uncounted.length === 0 && corrected.length === 0) return null
  return { position, uncounted: bitsOf(uncounted, count), corrected: bitsOf(corrected, count) }
}

function bitsOf(rows: readonly number[], count: number): Uint8Array | null {
  if (rows.length === 0) return null
  const bits = new Uint8Array((count + 7) >> 3)
  for (const row of rows) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7))
  return bits
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

import { type EventBatch, eventAt, REFUND } from '../contracts/eventBatch'
import { finiteOrNull } from '../contracts/instant'
import type { JournalRecord } from '../contracts/journalRecord'
import { toDecimal } from '../contracts/money'
import type { LateEvent, WindowRow } from '../contracts/windowRow'
import { type Cell, toMeasures, valuesOf } from '../engine/aggregate/cell'
import type { LateOutcome } from '../engine/outcome'
import type { EngineState } from '../engine/state'

/** A row as of now: the cell's present totals, its window's status. */
export function toWindowRow(cell: Cell, state: EngineState): WindowRow {
  const { window, key } = cell
  return {
    view: window.view,
    version: window.version,
    start: window.start,
    end: window.end,
    currency: key.currency,
    dims: key.dims,
    ...toMeasures(valuesOf(cell)),
    status: window.closed ? 'closed' : window.fired ? 'fired' : 'open',
    revision: cell.revision,
    leftOut: window.leftOut,
    firedAt: cell.firedAt,
    updatedAt: state.at,
    watermark: finiteOrNull(state.clock.watermark),
    pos: state.position,
  }
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

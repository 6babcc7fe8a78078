import type { EventBatch } from '../contracts/eventBatch'
import { finiteOrNull } from '../contracts/instant'
import { subtract, toDecimal } from '../contracts/money'
import { stringAt } from '../contracts/stringTable'
import type { Revision, RevisionKind } from '../contracts/windowRow'
import { type Cell, type MeasureValues, toMeasures, valuesOf } from './aggregate/cell'

/** Ids that a revision names at most. */
export const MOST_IDS = 20

/** Where and when a change is published. */
export interface Moment {
  readonly at: number
  readonly position: number
  readonly watermark: number
}

/** Publishes a row's present values: the next revision. The row remembers them as the `before` of the one after. */
export function publish(
  cell: Cell,
  kind: RevisionKind,
  moment: Moment,
  eventCount: number,
  eventIds: readonly string[],
): Revision {
  const before = cell.published
  const after = valuesOf(cell)
  cell.published = after
  cell.revision++
  cell.firedAt ??= moment.at
  const { view, version, start, end } = cell.window
  return {
    view,
    version,
    start,
    end,
    currency: cell.key.currency,
    dims: cell.key.dims,
    revision: cell.revision,
    kind,
    before: before && toMeasures(before),
    after: toMeasures(after),
    deltaNet: deltaNet(before, after),
    eventCount,
    eventIds,
    lateBy: Math.max(0, moment.at - end),
    watermark: finiteOrNull(moment.watermark),
    at: moment.at,
    pos: moment.position,
  }
}

function deltaNet(before: MeasureValues | null, after: MeasureValues): string {
  const now = subtract(after.gross, after.refunds)
  return toDecimal(before ? subtract(now, subtract(before.gross, before.refunds)) : now)
}

/** Publishes what a record's late events changed: one revision for the row, however many events there were. */
export function publishPending(cell: Cell, batch: EventBatch, position: number): Revision | null {
  const pending = cell.pending
  if (!pending) return null
  cell.pending = null
  const ids = pending.rows.map((row) => stringAt(batch.strings, batch.eventId[row] ?? 0))
  const { at, watermark, count } = pending
  return publish(cell, 'correction', { at, watermark, position }, count, ids)
}

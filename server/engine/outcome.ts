import type { Revision } from '../contracts/windowRow'
import type { Cell } from './aggregate/cell'

/** An event of the record's batch that came after its base window closed. */
export interface LateOutcome {
  /** Row of the batch. */
  readonly row: number
  readonly windowStart: number
  readonly windowEnd: number
  readonly watermark: number | null
  /** How far the watermark was past the window's close, ms. */
  readonly lateBy: number
}

export interface ClosedWindow {
  readonly view: string
  readonly version: number
  readonly start: number
}

/** A repeat of a live id whose time or content differs from the first (semantics.md §6). */
export interface ConflictOutcome {
  readonly row: number
}

/** What one record did. Closed: everything that a record can do to the outside is one of these (style.md, rule 3). */
export interface StepOutcome {
  /** Published changes, in the order in which they happened. */
  readonly revisions: Revision[]
  readonly late: LateOutcome[]
  readonly conflicts: ConflictOutcome[]
  readonly closed: ClosedWindow[]
  /** Rows that the record changed, each once, published or not. */
  readonly touched: Cell[]
}

export function emptyOutcome(): StepOutcome {
  return { revisions: [], late: [], conflicts: [], closed: [], touched: [] }
}

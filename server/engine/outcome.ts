import type { CommandOutcome } from '../contracts/command'
import type { ClosedWindow } from '../contracts/flush'
import type { LateChange, VoidedEvent } from '../contracts/lateStore'
import type { Notice } from '../contracts/notice'
import type { Revision } from '../contracts/windowRow'
import type { TouchedRows } from './row'

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

/** A repeat of a live id whose time or content differs from the first (semantics.md §6). */
export interface ConflictOutcome {
  readonly row: number
}

/** A counted event that some windows of the (sliding or cumulate) base view were already closed to. */
export interface MissedOutcome {
  readonly row: number
  readonly view: string
  readonly windows: number
  readonly firstStart: number
  readonly lastEnd: number
  readonly watermark: number | null
}

export interface LateOutcomeChange extends LateChange {
  /** null: it was not voided. */
  readonly voided: VoidedEvent | null
}

/** What one record did. Closed: everything that a record can do to the outside is one of these (style.md, rule 3). */
export interface StepOutcome {
  /** Published changes, in the order in which they happened; put into words when first asked for. */
  readonly revisions: readonly Revision[]
  readonly late: LateOutcome[]
  readonly missed: MissedOutcome[]
  readonly conflicts: ConflictOutcome[]
  readonly closed: ClosedWindow[]
  /** Rows that the record changed, published or not. */
  readonly touched: TouchedRows[]
  readonly notices: Notice[]
  /** Rows of the record's batch that were not counted (late, duplicate, test), and those counted as corrections. */
  readonly uncounted: number[]
  readonly corrected: number[]
  /** What the record's command changed in the late store. */
  readonly lateChanges: LateOutcomeChange[]
  /** What the record's command did; null when it held none. */
  command: CommandOutcome | null
}

/** `revisions` is called at most once. An outcome is read before the next record is folded. */
export function emptyOutcome(revisions: () => readonly Revision[] = () => []): StepOutcome {
  let known: readonly Revision[] | null = null
  return {
    get revisions() {
      known ??= revisions()
      return known
    },
    late: [],
    missed: [],
    conflicts: [],
    closed: [],
    touched: [],
    notices: [],
    uncounted: [],
    corrected: [],
    lateChanges: [],
    command: null,
  }
}

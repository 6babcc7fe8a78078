import type { Revision, WindowRow } from './windowRow'

/** What became visible by one flush. `rows` holds what was written, and running totals of open windows from memory. */
export interface Committed {
  readonly prev: number
  readonly pos: number
  readonly watermark: number | null
  readonly rows: readonly WindowRow[]
  readonly revisions: readonly Revision[]
}

/** Calls back after each flush. Returns how to stop. */
export type OnCommitted = (listener: (committed: Committed) => void) => () => void

import type { LateStatus } from './lateStore'
import type { LateEvent } from './windowRow'

/** An event of the late store as it stands now. */
export interface LateRow extends LateEvent {
  readonly status: LateStatus
  /** A proven repeat whose time or content differs from the first. */
  readonly conflict: boolean
}

/** What of the late store is asked for, newest first. */
export interface LateFilter {
  readonly statuses: readonly LateStatus[]
  readonly source?: string
  /** Only events that stand before this place: the last one of the page before. */
  readonly before?: { readonly position: number; readonly row: number }
  readonly limit: number
}

export interface LatePage {
  /** How many there are in all, on this page and others. */
  readonly total: number
  readonly rows: readonly LateRow[]
  /** Where the next page begins; null: this is the last. */
  readonly next: { readonly position: number; readonly row: number } | null
}

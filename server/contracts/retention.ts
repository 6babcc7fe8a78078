/** How long rows are kept after their last change, journal time, ms (semantics.md §8). */
export interface Keep {
  /** Journal records: as long as late orders can be put back from them. */
  readonly journal: number
  /** Window rows of closed windows, and the log of commands that made them. */
  readonly rows: number
  /** Revisions and notices. */
  readonly revisions: number
  /** Late events that wait for nobody, missed windows, quarantined events. */
  readonly late: number
}

const DAY = 86_400_000

export const DEFAULT_KEEP: Keep = { journal: 30 * DAY, rows: 400 * DAY, revisions: 90 * DAY, late: 90 * DAY }

/** Tables that are trimmed. */
export type TrimmedTable =
  | 'journal'
  | 'window_row'
  | 'revision'
  | 'late_event'
  | 'missed_window'
  | 'quarantine'
  | 'notice'
  | 'command_log'

/** What one statement of a trim did. */
export interface Trimmed {
  readonly removed: number
  /** Rows that still waited for somebody, and no longer do. */
  readonly writtenOff: number
}

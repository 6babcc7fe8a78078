import type { Keep, TrimmedTable } from '../../contracts/retention'
import { trimCommands } from '../../store/retention/commands'
import { trimJournal } from '../../store/retention/journal'
import { trimLateEvents } from '../../store/retention/lateEvents'
import { trimMissedWindows } from '../../store/retention/missedWindows'
import { trimNotices } from '../../store/retention/notices'
import { trimQuarantine } from '../../store/retention/quarantine'
import { trimRevisions } from '../../store/retention/revisions'
import type { Trim } from '../../store/retention/trim'
import { trimWindowRows } from '../../store/retention/windowRows'

export interface TrimJob {
  readonly table: TrimmedTable
  /** Which of the settings it follows. */
  readonly keep: keyof Keep
  readonly trim: Trim
  /** Rows of one statement. Journal rows are whole requests, up to megabytes each. */
  readonly batch: number
}

/** One job a table. The journal comes first: what it writes off, the late store may remove later. */
export const TRIM_JOBS: readonly TrimJob[] = [
  { table: 'journal', keep: 'journal', trim: trimJournal, batch: 200 },
  { table: 'window_row', keep: 'rows', trim: trimWindowRows, batch: 1_000 },
  { table: 'revision', keep: 'revisions', trim: trimRevisions, batch: 1_000 },
  { table: 'late_event', keep: 'late', trim: trimLateEvents, batch: 1_000 },
  { table: 'missed_window', keep: 'late', trim: trimMissedWindows, batch: 1_000 },
  { table: 'quarantine', keep: 'late', trim: trimQuarantine, batch: 500 },
  { table: 'notice', keep: 'revisions', trim: trimNotices, batch: 1_000 },
  { table: 'command_log', keep: 'rows', trim: trimCommands, batch: 1_000 },
]

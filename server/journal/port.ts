import type { JournalEntry, JournalRecord } from '../contracts/journalRecord'

/** A record that is not what was written: nothing after it can be folded until an operator has it passed over. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged'

  constructor(
    readonly position: number,
    readonly fault: string,
    options?: ErrorOptions,
  ) {
    super(`journal position ${position} is damaged: ${fault}`, options)
  }
}

/** Where the journal ends: its last position and the journal time there. */
export interface JournalEnd {
  readonly position: number
  readonly at: number
}

/** The durable log, as ingest, runner and CLI know it. Postgres, memory, later Kafka stand behind it. */
export interface Journal {
  /**
   * Resolves with the entry's position once it is durable; entries take positions in the order of the calls. A
   * journal that was away may put a `resumed` record of its own before the first one afterwards.
   * Rejects with `AppError` (`journal_unavailable`, `journal_full`: nothing was kept, send again).
   */
  append(entry: JournalEntry): Promise<number>
  /**
   * Records with a position above `after`, in order, at most `limit` of them; those that an operator had passed over
   * come as `skipped`. Rejects with JournalDamaged when the first of them is damaged; a later one ends the answer.
   */
  read(after: number, limit: number): Promise<JournalRecord[]>
  /** Position of the first record that is still kept; null while the journal is empty. */
  first(): Promise<number | null>
  /** null while the journal is empty. */
  end(): Promise<JournalEnd | null>
  /** Calls back with what has become durable, in order and without gaps. Returns how to stop. */
  onAppended(listener: (records: readonly JournalRecord[]) => void): () => void
}

/** Journal time in ms: the server's receive time, never back (semantics.md §1). */
export type JournalClock = () => number

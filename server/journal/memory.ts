import type { JournalEntry, JournalRecord } from '../contracts/journalRecord'
import type { Journal, JournalEnd } from './port'

/** A journal that lives as long as the process: for replays of files and for tests of what stands on a journal. */
export class MemoryJournal implements Journal {
  readonly #records: JournalRecord[] = []
  readonly #listeners = new Set<(records: readonly JournalRecord[]) => void>()

  append(entry: JournalEntry): Promise<number> {
    const record: JournalRecord = { ...entry, position: this.#records.length + 1 }
    this.#records.push(record)
    for (const listener of this.#listeners) listener([record])
    return Promise.resolve(record.position)
  }

  read(after: number, limit: number): Promise<JournalRecord[]> {
    return Promise.resolve(this.#records.slice(after, after + limit))
  }

  first(): Promise<number | null> {
    return Promise.resolve(this.#records[0]?.position ?? null)
  }

  end(): Promise<JournalEnd | null> {
    const last = this.#records.at(-1)
    return Promise.resolve(last ? { position: last.position, at: last.at } : null)
  }

  onAppended(listener: (records: readonly JournalRecord[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

import type { JournalRecord } from '../contracts/journalRecord'
import type { Journal } from '../journal/port'

/** Records that wait in memory at most; a runner that is further behind reads the journal instead. */
const MOST_WAITING = 256
/** Records of one read. */
const READ_AT_ONCE = 64

/**
 * The journal's records in order, each once. What is appended while the runner keeps up is handed over in memory;
 * what does not fit there is dropped and read back, so memory does not grow with the runner's lag.
 */
export class RecordFeed {
  readonly #journal: Journal
  readonly #unsubscribe: () => void
  #waiting: JournalRecord[] = []
  /** Position of the next record to hand out, and of the next one to put into memory. */
  #next: number
  #expected: number
  #journaled: number
  #wake: (() => void) | null = null

  constructor(journal: Journal, after: number, journaled: number) {
    this.#journal = journal
    this.#next = after + 1
    this.#expected = after + 1
    this.#journaled = journaled
    this.#unsubscribe = journal.onAppended((records) => this.#offer(records))
  }

  /** Last position that is known to be durable. */
  get journaled(): number {
    return this.#journaled
  }

  /** The next record, or null when there is none in memory: then `refill`, or `wait`. */
  take(): JournalRecord | null {
    const record = this.#waiting.shift()
    if (!record) return null
    this.#next = record.position + 1
    return record
  }

  /** The journal holds records that are not in memory. */
  get behind(): boolean {
    return this.#waiting.length === 0 && this.#next <= this.#journaled
  }

  async refill(): Promise<void> {
    const records = await this.#journal.read(this.#next - 1, READ_AT_ONCE)
    const first = records[0]
    if (first && first.position !== this.#next) {
      throw new Error(`the journal has no position ${this.#next}; the next one there is ${first.position}`)
    }
    if (!first) throw new Error(`the journal has no position ${this.#next}, though it has ${this.#journaled}`)
    this.#waiting = records
    this.#expected = this.#next + records.length
  }

  /** Resolves when a record comes, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (this.#waiting.length > 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = null
  }

  close(): void {
    this.#unsubscribe()
    this.#wake?.()
  }

  #offer(records: readonly JournalRecord[]): void {
    for (const record of records) {
      this.#journaled = Math.max(this.#journaled, record.position)
      if (record.position !== this.#expected || this.#waiting.length >= MOST_WAITING) continue
      this.#waiting.push(record)
      this.#expected++
    }
    this.#wake?.()
  }
}

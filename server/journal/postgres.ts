import { randomUUID } from 'node:crypto'
import type { JournalEntry, JournalRecord } from '../contracts/journalRecord'
import { LeaseLost } from '../contracts/lease'
import { isDiskFull } from '../platform/diskFull'
import { AppError } from '../platform/errors'
import type { Logger } from '../platform/logger'
import type { Store } from '../store/client'
import { AppendQueue, type QueueLimits, type Waiting } from './appendQueue'
import { OutageBracket } from './outageBracket'
import { type Journal, JournalDamaged, type JournalEnd } from './port'
import { describe, toRecord } from './rows'
import { insertRows, type ReadRow, readEnd, readFirst, readGroup, readRows } from './table'

const GIVE_UP_AFTER = 10_000
const PAUSE = 250
/** A full disk is known of for so long after Postgres said so last, ms; then the next append finds out. */
const FULL_FOR = 30_000

/** One INSERT's worth of entries, with the positions that they will have. */
interface Group {
  readonly id: string
  readonly first: number
  readonly waiting: readonly Waiting[]
}

/** Somebody else appended: two servers write to one database, which must not be. */
export class JournalTaken extends Error {
  override readonly name = 'JournalTaken'
}

export interface PostgresJournalDeps {
  readonly store: Store
  readonly logger: Logger
  readonly limits?: QueueLimits
  /** Of the lease under which it is written; null: without one. */
  readonly epoch?: number | null
  /** How long an append is tried before its producers are told to come back, ms. */
  readonly giveUpAfter?: number
  /** Monotonic clock in ms, for giving up. */
  readonly monotonic: () => number
  readonly onFatal: (error: Error) => void
}

/**
 * The journal in a Postgres table (design.md §1.2). One append is in flight: everything that waits goes into one
 * INSERT, at positions that follow the last committed one, so there are no gaps.
 *
 * A group is *waiting*, then *in flight*. Its INSERT *succeeds*; or it fails, and then it is *unknown* whether it
 * was committed: the table is read by the group's id before anything else is written. Found: it succeeded. Not
 * found: the same group is tried again at the same positions, so that even a COMMIT that is still on its way in
 * the old connection can only make the new INSERT fail. After 10 s the producers are told to come back, but the
 * group stays *unsettled* and is settled first when the database is back: if it was kept after all, the runner gets
 * it, and what the producers send again are duplicates.
 *
 * A full disk is no reason to wait 10 s: the producers are told at once, and the group is unsettled in the same way.
 *
 * What first comes after an outage is led by a `resumed` record (OutageBracket), in the same INSERT: no event can
 * stand between the outage and the word that there was one.
 */
export class PostgresJournal implements Journal {
  readonly #deps: PostgresJournalDeps
  readonly #queue: AppendQueue
  readonly #outage: OutageBracket
  readonly #listeners = new Set<(records: readonly JournalRecord[]) => void>()
  #last: number
  #unsettled: Group | null = null
  /** Ends in the same turn in which the drain sees an empty queue: an append after that starts a new one. */
  #running = false
  #draining: Promise<void> = Promise.resolve()
  #closed = false
  #abandoned = false
  /** When Postgres said last that its disk is full, monotonic ms; null: not since it took something. */
  #fullAt: number | null = null

  private constructor(deps: PostgresJournalDeps, end: JournalEnd | null) {
    this.#deps = deps
    this.#queue = new AppendQueue(deps.limits)
    this.#outage = new OutageBracket(end?.at ?? null)
    this.#last = end?.position ?? 0
  }

  static async open(deps: PostgresJournalDeps): Promise<PostgresJournal> {
    return new PostgresJournal(deps, await readEnd(deps.store))
  }

  /** Postgres has just refused a write because its disk is full. */
  get diskFull(): boolean {
    return this.#fullAt !== null && this.#deps.monotonic() - this.#fullAt < FULL_FOR
  }

  async append(entry: JournalEntry): Promise<number> {
    if (this.#closed || this.#abandoned)
      throw new AppError('journal_unavailable', 'Tidemark is stopping; send again shortly.')
    const position = this.#queue.add(entry)
    if (!this.#running) this.#draining = this.#drain()
    return position
  }

  async read(after: number, limit: number): Promise<JournalRecord[]> {
    return readable(await readRows(this.#deps.store, after, limit))
  }

  first(): Promise<number | null> {
    return readFirst(this.#deps.store)
  }

  end(): Promise<JournalEnd | null> {
    return readEnd(this.#deps.store)
  }

  onAppended(listener: (records: readonly JournalRecord[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes nothing more; resolves when what waits has been written or refused. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
  }

  /** Takes nothing more, and writes nothing more: another server leads. Who waits is told to come back. */
  async abandon(): Promise<void> {
    this.#abandoned = true
    this.#refuseAll()
    await this.close()
  }

  async #drain(): Promise<void> {
    this.#running = true
    // Requests of the same turn of the event loop go into one group.
    await Promise.resolve()
    while (this.#queue.size > 0) await this.#writeNext()
    this.#running = false
  }

  /** Never rejects: whoever waits is told by the entry's own promise. */
  async #writeNext(): Promise<void> {
    if (this.#unsettled && !(await this.#write(this.#unsettled))) {
      this.#refuseAll()
      return
    }
    this.#unsettled = null
    const group = { id: randomUUID(), first: this.#last + 1, waiting: this.#queue.take(this.#outage) }
    if (!(await this.#write(group))) this.#giveUp(group)
  }

  /** Writes a group, or finds out that it is written. False when that could not be done in time. */
  async #write(group: Group): Promise<boolean> {
    const { monotonic, logger, giveUpAfter = GIVE_UP_AFTER } = this.#deps
    const until = monotonic() + giveUpAfter
    for (let attempt = 0; ; attempt++) {
      try {
        if ((attempt === 0 && group !== this.#unsettled) || !(await this.#isWritten(group)))
          await this.#insert(group)
        this.#settle(group)
        return true
      } catch (error) {
        if (error instanceof JournalTaken || error instanceof LeaseLost) {
          this.#abandoned = true
          this.#deps.onFatal(error)
        }
        if (this.#abandoned) return false
        this.#outage.failed(this.#queue.size)
        this.#fullAt = isDiskFull(error) ? monotonic() : null
        logger.warn({ err: error, position: group.first, attempt }, 'append is unknown, looking again')
        // Waiting does not make room, and producers should hear at once what is wrong.
        if (this.#fullAt !== null) return false
        // A stopping server has no time to wait for the database: what is refused was not acknowledged.
        if (monotonic() > until || this.#closed) return false
        await new Promise((resolve) => setTimeout(resolve, PAUSE))
      }
    }
  }

  #insert(group: Group): Promise<void> {
    const rows = group.waiting.map((w, i) => ({
      ...describe(w.entry),
      position: group.first + i,
      checksum: w.checksum,
      body: w.body,
    }))
    return insertRows(this.#deps.store, group.id, rows, this.#deps.epoch ?? null)
  }

  /** Reads the tail: ours, nobody's, or somebody else's. */
  async #isWritten(group: Group): Promise<boolean> {
    const found = await readGroup(this.#deps.store, group.first)
    if (found === null) return false
    if (found === group.id) return true
    throw new JournalTaken(`journal position ${group.first} was written by another server`)
  }

  #settle(group: Group): void {
    this.#last = group.first + group.waiting.length - 1
    this.#fullAt = null
    this.#outage.recovered()
    const records = group.waiting.map(
      ({ entry }, i): JournalRecord => ({ ...entry, position: group.first + i }),
    )
    group.waiting.forEach((waiting, i) => {
      waiting.resolve(group.first + i)
    })
    for (const listener of this.#listeners) listener(records)
  }

  #giveUp(group: Group): void {
    this.#unsettled = group
    for (const waiting of group.waiting) waiting.reject(this.#refusal())
    this.#refuseAll()
  }

  #refuseAll(): void {
    this.#queue.rejectAll(this.#refusal())
    this.#outage.failed(0)
  }

  #refusal(): AppError {
    return this.#fullAt === null ? unavailable() : full()
  }
}

function full(): AppError {
  return new AppError(
    'disk_full',
    'The disk of the database is full, so nothing was acknowledged. Whoever runs Tidemark has to make room there. Send again later: events that were kept after all count once.',
    { retryAfter: 30 },
  )
}

/** What comes before the first damaged row is good, and is folded first. */
function readable(rows: readonly ReadRow[]): JournalRecord[] {
  const records: JournalRecord[] = []
  try {
    for (const row of rows) records.push(toRecord(row))
  } catch (error) {
    if (!(error instanceof JournalDamaged) || records.length === 0) throw error
  }
  return records
}

function unavailable(): AppError {
  return new AppError(
    'journal_unavailable',
    'The database does not answer, so nothing was acknowledged. Send again: events that were kept after all count once.',
    { retryAfter: 5 },
  )
}

import { type Command, isLateCommand, type LateCommand, type Order } from '../contracts/command'
import type { Committed } from '../contracts/committed'
import type { CommandDone, Flush } from '../contracts/flush'
import type { JournalRecord } from '../contracts/journalRecord'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { PipelineStatus } from '../contracts/status'
import type { StepOutcome } from '../engine/outcome'
import type { Hydration } from '../engine/reconcile/hydration'
import { type EngineState, initialState } from '../engine/state'
import { step } from '../engine/step'
import { timeMatters } from '../engine/timeMatters'
import type { Journal, JournalClock } from '../journal/port'
import type { Logger } from '../platform/logger'
import { CommandDesk } from './commandDesk'
import { FlushBuffer } from './flushBuffer'
import { commandDone } from './flushLists'
import type { RunnerPort } from './port'
import { RecordFeed } from './recordFeed'
import { type NoRoom, roomFor } from './room'
import { pipelineStatus } from './status'

/** A flush ends when this time has passed or so many rows wait (design.md §1.4). */
const FLUSH_EVERY = 250
const FLUSH_ROWS = 5_000
/** Without anything to write, the database is asked after so long whether it is there, ms. */
const PROBE_AFTER = 2_000
const RETRY_FROM = 250
const RETRY_UP_TO = 5_000

export interface RunnerDeps {
  readonly journal: Journal
  /** For the records that the runner itself appends. */
  readonly journalClock: JournalClock
  /** Writes one flush in one transaction; rejects when nothing of it was written, or it is not known. */
  readonly commit: (flush: Flush) => Promise<void>
  /** Trying again cannot help: another server writes to the database. */
  readonly isFatal: (error: unknown) => boolean
  /** What the fold of a late-store command at a position needs of the past, all of which is committed. */
  readonly hydrate: (state: EngineState, command: LateCommand, position: number) => Promise<Hydration>
  /** Position whose results the database holds; 0 when none. */
  readonly committedPosition: () => Promise<number>
  /** Wall clock in ms: for the rhythm of flushes and for what pages show, never for a result. */
  readonly now: () => number
  readonly logger: Logger
  /** The fold itself failed or another server writes: no later result can be trusted, so the process must end. */
  readonly onFatal: (error: Error) => void
}

/** A failure that trying again cannot mend. */
export class FatalRunnerError extends Error {
  override readonly name = 'FatalRunnerError'
}

/**
 * Drives the engine over the journal and commits what it says (design.md §1.4).
 *
 * *Recovering*: the state is rebuilt by folding the journal from its start; outcomes at or below the committed
 * position are discarded, since the database holds them. *Running*: fold, and flush between records. *In trouble*:
 * a flush failed; it is tried again until it succeeds, and no record is folded meanwhile, so the state is never
 * more than one flush ahead of the database. *Stopped*: what was folded is flushed.
 */
export class Runner implements RunnerPort {
  readonly #deps: RunnerDeps
  readonly #state: EngineState = initialState()
  readonly #buffer = new FlushBuffer()
  readonly #desk = new CommandDesk()
  readonly #listeners = new Set<(committed: Committed) => void>()
  readonly #feed: RecordFeed
  #committed: number
  #recoverTo: number
  /** When the database was last written to, or asked, wall clock in ms. */
  #flushedAt = 0
  #stopping = false
  #trouble: string | null = null
  #pause = RETRY_FROM
  #done: Promise<void> = Promise.resolve()
  /** Taken from the buffer, not yet known to be written. */
  #pendingFlush: ReturnType<FlushBuffer['take']> | null = null
  #caughtUp: () => void = () => {}
  /** A late-store command whose past is being loaded; taken up again when the database failed meanwhile. */
  #next: JournalRecord | null = null

  private constructor(deps: RunnerDeps, committed: number, journaled: number) {
    this.#deps = deps
    this.#committed = committed
    this.#recoverTo = journaled
    this.#feed = new RecordFeed(deps.journal, 0, journaled)
  }

  /** Rebuilds the state from the journal, then runs on in the background. Resolves when it has caught up. */
  static async start(deps: RunnerDeps): Promise<Runner> {
    const [committed, end] = await Promise.all([deps.committedPosition(), deps.journal.end()])
    const journaled = end?.position ?? 0
    if (committed > journaled) {
      throw new Error(
        `the database holds results up to position ${committed}, but its journal ends at ${journaled}: they do not belong together. Restore both from the same backup.`,
      )
    }
    const runner = new Runner(deps, committed, journaled)
    await new Promise<void>((resolve) => {
      runner.#caughtUp = resolve
      runner.#done = runner.#run()
    })
    return runner
  }

  /** Folds and flushes what is in the journal, then ends. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#feed.close()
    await this.#done
    this.#desk.close()
  }

  status(): PipelineStatus {
    return pipelineStatus(this.#state, {
      now: this.#deps.now(),
      journaled: this.#feed.journaled,
      committed: this.#committed,
      catchingUp: this.#state.position < this.#recoverTo,
      trouble: this.#trouble,
    })
  }

  spec(): PipelineSpec {
    const spec = this.#state.pipeline?.spec
    if (!spec) throw new Error('no spec yet')
    return spec
  }

  /** Whether the engine has room for the next request of `source`; null: it has. */
  roomFor(source: string): NoRoom | null {
    return roomFor(this.#state, source)
  }

  onCommitted(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Time alone can still change something, so ticks are worth writing. */
  timeMatters(): boolean {
    return timeMatters(this.#state)
  }

  command(command: Command, order: Order): Promise<CommandDone> {
    const { journal, journalClock } = this.#deps
    return this.#desk.give(() => journal.append({ kind: 'command', at: journalClock(), command, order }))
  }

  async #run(): Promise<void> {
    while (!(this.#stopping && this.#idle)) {
      try {
        await this.#turn()
      } catch (error) {
        if (error instanceof FatalRunnerError || this.#deps.isFatal(error))
          return this.#deps.onFatal(error as Error)
        await this.#suffer(error)
      }
    }
    await this.#commit(true).catch((error) => this.#deps.logger.error({ err: error }, 'last flush failed'))
  }

  get #idle(): boolean {
    return this.#trouble !== null || this.#state.position >= this.#feed.journaled
  }

  async #turn(): Promise<void> {
    // After a failed flush nothing is folded until that flush has gone through.
    if (this.#pendingFlush) await this.#commit(false)
    if (this.#feed.behind) await this.#feed.refill()
    const record = this.#next ?? this.#feed.take()
    if (record) await this.#foldWithPast(record)
    if (this.#state.position >= this.#recoverTo) this.#caughtUp()
    const now = this.#deps.now()
    const age = Math.abs(now - this.#flushedAt)
    if (this.#buffer.size >= FLUSH_ROWS || (this.#somethingToFlush && age >= FLUSH_EVERY))
      await this.#commit(false)
    else if (!record && age >= PROBE_AFTER) await this.#probe(now)
    else if (!record) await this.#feed.wait(this.#somethingToFlush ? FLUSH_EVERY - age : FLUSH_EVERY)
    // One record at a time: requests and sockets get their turn in between.
    else await new Promise((resolve) => setImmediate(resolve))
  }

  /** Nothing to write for a while: is the database there, and still ours? Health is progress, not silence. */
  async #probe(now: number): Promise<void> {
    const position = await this.#deps.committedPosition()
    if (position !== this.#committed) {
      throw new FatalRunnerError(
        `results are at position ${position}, not ${this.#committed}: another server writes`,
      )
    }
    this.#flushedAt = now
    this.#recovered()
  }

  #recovered(): void {
    this.#trouble = null
    this.#pause = RETRY_FROM
  }

  get #somethingToFlush(): boolean {
    return this.#buffer.records > 0 || this.#buffer.pendingTotals
  }

  /** A command of the late store is folded with what the journal held before it, once all of that is committed. */
  async #foldWithPast(record: JournalRecord): Promise<void> {
    if (record.kind !== 'command' || !isLateCommand(record.command)) return this.#fold(record)
    this.#next = record
    if (this.#buffer.records > 0) await this.#commit(false)
    const hydration = await this.#deps.hydrate(this.#state, record.command, record.position)
    this.#next = null
    this.#fold(record, hydration)
    // 5,000 events fold in half a second; what they changed is made into a flush in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve))
  }

  #fold(record: JournalRecord, hydration?: Hydration): void {
    const before = this.#state.pipeline?.spec
    const outcome = this.#step(record, hydration)
    const now = this.#state.pipeline?.spec
    if (record.position > this.#committed) {
      this.#buffer.add(record, outcome, now && now !== before ? now : null)
    } else if (record.position === this.#committed) this.#rewriteOpen()
    const done = commandDone(record, outcome)
    if (done) this.#desk.folded(done)
  }

  #step(record: JournalRecord, hydration?: Hydration): StepOutcome {
    try {
      const outcome = step(this.#state, record, hydration)
      this.#assertIdentity()
      return outcome
    } catch (cause) {
      // The state may be half changed: it must not be used again.
      throw new FatalRunnerError(`folding journal position ${record.position} failed`, { cause })
    }
  }

  /** After a restart the stored totals of open windows may be up to a second old; all are written once more. */
  #rewriteOpen(): void {
    for (const view of this.#state.pipeline?.views ?? []) this.#buffer.rewriteOpen(view.liveRows())
  }

  /** Nothing uncounted (semantics.md §1). A breach is a bug of ours: stop rather than publish. */
  #assertIdentity(): void {
    const { received, inTime, corrected, late, duplicate, quarantined } = this.#state.counts
    if (received !== inTime + corrected + late + duplicate + quarantined) {
      throw new Error(`identity of outcomes broken at position ${this.#state.position}`)
    }
  }

  async #commit(last: boolean): Promise<void> {
    if (this.#state.position < this.#committed) return
    const now = this.#deps.now()
    this.#pendingFlush ??= this.#buffer.take(
      this.#state,
      this.#committed,
      last ? Number.MAX_SAFE_INTEGER : now,
    )
    const { flush, shown } = this.#pendingFlush
    await this.#deps.commit(flush)
    this.#pendingFlush = null
    this.#flushedAt = now
    this.#recovered()
    const prev = this.#committed
    this.#committed = flush.position
    const { watermark, revisions } = flush
    for (const listener of this.#listeners)
      listener({ prev, pos: flush.position, watermark, rows: shown, revisions })
  }

  /** The database does not take or give: say so, and try again until it does. */
  async #suffer(error: unknown): Promise<void> {
    this.#trouble = 'the database does not take them right now. Nothing is lost; it is tried again.'
    this.#deps.logger.error({ err: error, position: this.#state.position }, 'database failed, trying again')
    if (this.#stopping) return
    await new Promise((resolve) => setTimeout(resolve, this.#pause))
    this.#pause = Math.min(this.#pause * 2, RETRY_UP_TO)
  }
}

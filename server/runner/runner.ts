import { type Command, isLateCommand, type LateCommand, type Order } from '../contracts/command'
import type { Committed } from '../contracts/committed'
import type { CommandDone, Flush } from '../contracts/flush'
import type { JournalRecord } from '../contracts/journalRecord'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { PipelineStatus } from '../contracts/status'
import type { StepOutcome } from '../engine/outcome'
import type { Hydration } from '../engine/reconcile/hydration'
import type { EngineState } from '../engine/state'
import { type Past, step } from '../engine/step'
import { timeMatters } from '../engine/timeMatters'
import { type Journal, type JournalClock, JournalDamaged } from '../journal/port'
import { isDiskFull } from '../platform/diskFull'
import { AppError } from '../platform/errors'
import type { Logger } from '../platform/logger'
import type { Backfill } from './backfill/backfill'
import { CommandDesk } from './commandDesk'
import { FlushBuffer } from './flushBuffer'
import { commandDone } from './flushLists'
import type { RunnerPort } from './port'
import { RecordFeed } from './recordFeed'
import { recoverState, type SnapshotSource } from './recovery'
import { type NoRoom, roomFor } from './room'
import type { SnapshotTaker } from './snapshotTaker'
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
  /** Fills views that a change of the definition makes anew; without it such a change stays pending. */
  readonly backfill?: Pick<Backfill, 'follow' | 'stateAt' | 'stop' | 'progress'>
  /** Snapshots to begin from, and what takes new ones; without them the whole journal is folded. */
  readonly snapshots?: SnapshotSource
  readonly taker?: SnapshotTaker
  /** Wall clock in ms: for the rhythm of flushes and for what pages show, never for a result. */
  readonly now: () => number
  readonly logger: Logger
  /** The fold itself failed or another server writes: no later result can be trusted, so the process must end. */
  readonly onFatal: (error: Error) => void
}

const NO_SNAPSHOTS: SnapshotSource = { list: async () => [], segments: async () => [] }
const AWAY = 'the database does not take them right now. Nothing is lost; it is tried again.'
const DISK_FULL = 'the disk of the database is full. Make room there. Nothing is lost; it is tried again.'

/** A failure that trying again cannot mend. */
export class FatalRunnerError extends Error {
  override readonly name = 'FatalRunnerError'
}

/**
 * Drives the engine over the journal and commits what it says (design.md §1.4).
 *
 * *Recovering*: the state is the newest snapshot that reads, and what came after it in the journal is folded;
 * outcomes at or below the committed position are discarded, since the database holds them. *Running*: fold, and
 * flush between records. *In trouble*: a flush failed; it is tried again until it succeeds, and no record is folded
 * meanwhile, so the state is never more than one flush ahead of the database. *Halted*: the next record of the journal
 * is damaged; it is looked at again until an operator has it passed over. *Stopped*: what was folded is flushed.
 * *Abandoned*: another server leads; nothing more is written.
 */
export class Runner implements RunnerPort {
  readonly #deps: RunnerDeps
  readonly #state: EngineState
  readonly #buffer = new FlushBuffer()
  readonly #desk = new CommandDesk()
  readonly #listeners = new Set<(committed: Committed) => void>()
  readonly #feed: RecordFeed
  #committed: number
  #recoverTo: number
  /** When the database was last written to, or asked, wall clock in ms. */
  #flushedAt = 0
  #stopping = false
  #abandoned = false
  #trouble: string | null = null
  #pause = RETRY_FROM
  #done: Promise<void> = Promise.resolve()
  /** Taken from the buffer, not yet known to be written. */
  #pendingFlush: ReturnType<FlushBuffer['take']> | null = null
  #caughtUp: () => void = () => {}
  /** Resolves when it has folded what the journal held at the start, stands at a damaged record, or has ended. */
  readonly caughtUp = new Promise<void>((resolve) => {
    this.#caughtUp = resolve
  })
  /** A late-store command whose past is being loaded; taken up again when the database failed meanwhile. */
  #next: JournalRecord | null = null

  private constructor(deps: RunnerDeps, state: EngineState, committed: number, journaled: number) {
    this.#deps = deps
    this.#state = state
    this.#committed = committed
    this.#recoverTo = journaled
    this.#feed = new RecordFeed(deps.journal, state.position, journaled)
  }

  /** As `open`; resolves when it has caught up. */
  static async start(deps: RunnerDeps): Promise<Runner> {
    const runner = await Runner.open(deps)
    await runner.caughtUp
    return runner
  }

  /** Begins with the newest state, and folds on in the background. Throws StartupError when there is none to begin with. */
  static async open(deps: RunnerDeps): Promise<Runner> {
    const { journal, snapshots = NO_SNAPSHOTS, logger } = deps
    const [committed, end, first] = await Promise.all([
      deps.committedPosition(),
      journal.end(),
      journal.first(),
    ])
    const journaled = end?.position ?? 0
    if (committed > journaled) {
      throw new Error(
        `the database holds results up to position ${committed}, but its journal ends at ${journaled}: they do not belong together. Restore both from the same backup.`,
      )
    }
    const state = await recoverState({ snapshots, logger }, committed, first ?? 1)
    const runner = new Runner(deps, state, committed, journaled)
    // Nothing will be folded that shows the totals of open windows again.
    if (state.position > 0 && state.position === committed) runner.#rewriteOpen()
    deps.backfill?.follow(state.pipeline?.pending ?? null)
    runner.#done = runner.#run()
    return runner
  }

  /** Folds and flushes what is in the journal, then ends. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#feed.close()
    const filling = this.#deps.backfill?.stop()
    await this.#done
    this.#desk.close()
    await filling
    await this.#deps.taker?.settled()
  }

  /** Ends at once and writes nothing more: another server leads. */
  async abandon(): Promise<void> {
    this.#abandoned = true
    await this.stop()
  }

  status(): PipelineStatus {
    return pipelineStatus(this.#state, {
      now: this.#deps.now(),
      journaled: this.#feed.journaled,
      committed: this.#committed,
      databaseAt: this.#flushedAt,
      catchingUp: this.#state.position < this.#recoverTo,
      standby: null,
      backfill: this.#deps.backfill?.progress ?? null,
      trouble: this.#trouble,
    })
  }

  /** Last position that is folded. */
  get position(): number {
    return this.#state.position
  }

  get journaled(): number {
    return this.#feed.journaled
  }

  spec(): PipelineSpec {
    const spec = this.#state.pipeline?.spec
    if (!spec) throw new AppError('starting', 'Tidemark is starting: the pipeline is not read yet.')
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
    while (!(this.#abandoned || (this.#stopping && this.#idle))) {
      try {
        await this.#turn()
      } catch (error) {
        if (error instanceof FatalRunnerError || this.#deps.isFatal(error)) {
          this.#caughtUp()
          return this.#deps.onFatal(error as Error)
        }
        await this.#suffer(error)
      }
    }
    this.#caughtUp()
    if (this.#abandoned) return
    await this.#commitLast().catch((error) => this.#deps.logger.error({ err: error }, 'last flush failed'))
  }

  /** What is committed and snapshot when it ends need not be folded at the next start. */
  async #commitLast(): Promise<void> {
    await this.#commit(true)
    if (this.#deps.taker?.worthwhile && this.#trouble === null) await this.#deps.taker.take(this.#state)
  }

  get #idle(): boolean {
    return this.#trouble !== null || this.#state.position >= this.#feed.journaled
  }

  async #turn(): Promise<void> {
    // After a failed flush nothing is folded until that flush has gone through.
    if (this.#pendingFlush) await this.#commit(false)
    if (this.#feed.behind) await this.#refill()
    const record = this.#next ?? this.#feed.take()
    if (record) await this.#foldWithPast(record)
    if (this.#state.position >= this.#recoverTo) this.#caughtUp()
    const now = this.#deps.now()
    const age = Math.abs(now - this.#flushedAt)
    if (this.#deps.taker?.due) return this.#takeSnapshot(this.#deps.taker)
    if (this.#buffer.size >= FLUSH_ROWS || (this.#somethingToFlush && age >= FLUSH_EVERY))
      await this.#commit(false)
    else if (!record && age >= PROBE_AFTER) await this.#probe(now)
    else if (!record) await this.#feed.wait(this.#somethingToFlush ? FLUSH_EVERY - age : FLUSH_EVERY)
    // One record at a time: requests and sockets get their turn in between.
    else await new Promise((resolve) => setImmediate(resolve))
  }

  /** What stands before a damaged record is shown all the same. */
  async #refill(): Promise<void> {
    try {
      await this.#feed.refill()
    } catch (error) {
      if (error instanceof JournalDamaged && this.#somethingToFlush) await this.#commit(false)
      throw error
    }
  }

  /** Of a state whose results are committed: what a start folds after it is what is not. */
  async #takeSnapshot(taker: SnapshotTaker): Promise<void> {
    if (this.#state.position < this.#committed) return
    await this.#commit(false)
    await taker.take(this.#state)
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

  /** Some commands are folded with what the journal held before them, once all of that is committed. */
  async #foldWithPast(record: JournalRecord): Promise<void> {
    if (record.kind !== 'command' || !needsPast(record.command)) return this.#fold(record)
    this.#next = record
    if (this.#buffer.records > 0) await this.#commit(false)
    const past = await this.#past(record.command, record.position)
    this.#next = null
    this.#fold(record, past)
    // 5,000 events fold in half a second; what they changed is made into a flush in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve))
  }

  async #past(command: PastCommand, position: number): Promise<Past> {
    if (command.kind !== 'switchSpec') return this.#deps.hydrate(this.#state, command, position)
    const pending = this.#state.pipeline?.pending
    // Refused by the fold, so anything does.
    if (pending?.position !== command.change) return { filled: this.#state }
    if (!this.#deps.backfill) throw new FatalRunnerError('nothing here fills the views of a change')
    return { filled: await this.#deps.backfill.stateAt(pending, position - 1) }
  }

  #fold(record: JournalRecord, hydration?: Past): void {
    const pipeline = this.#state.pipeline
    const before = pipeline?.spec
    const { taker } = this.#deps
    const fold = () => this.#step(record, hydration)
    const outcome = taker ? taker.timed(fold) : fold()
    const now = this.#state.pipeline?.spec
    const switched = pipeline !== null && this.#state.pipeline !== pipeline
    if (switched) this.#buffer.forgetOpen()
    if (record.position > this.#committed) {
      this.#buffer.add(record, outcome, now && now !== before ? now : null)
    } else if (record.position === this.#committed) this.#rewriteOpen()
    if (switched) this.#switched()
    this.#deps.backfill?.follow(this.#state.pipeline?.pending ?? null)
    const done = commandDone(record, outcome)
    if (done) this.#desk.folded(done)
  }

  /** Views took the place of others: their open windows go on from what was filled. */
  #switched(): void {
    this.#rewriteOpen()
    this.#deps.taker?.want()
  }

  #step(record: JournalRecord, hydration?: Past): StepOutcome {
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
    if (this.#abandoned) return
    this.#pendingFlush = null
    this.#flushedAt = now
    this.#recovered()
    const prev = this.#committed
    this.#committed = flush.position
    const { watermark, revisions } = flush
    for (const listener of this.#listeners)
      listener({ prev, pos: flush.position, watermark, rows: shown, revisions })
  }

  /** The database does not take or give, or what it gives is damaged: say so, and try again until it does. */
  async #suffer(error: unknown): Promise<void> {
    const trouble = troubleOf(error)
    // One that stands at a damaged record would say so for as long as nobody decides.
    if (this.#trouble !== trouble || !(error instanceof JournalDamaged))
      this.#deps.logger.error({ err: error, position: this.#state.position }, 'cannot go on, trying again')
    this.#trouble = trouble
    // The pages are to say so, at a start as well.
    if (error instanceof JournalDamaged) this.#caughtUp()
    if (this.#stopping) return
    await new Promise((resolve) => setTimeout(resolve, this.#pause))
    this.#pause = Math.min(this.#pause * 2, RETRY_UP_TO)
  }
}

type PastCommand = LateCommand | Extract<Command, { kind: 'switchSpec' }>

function needsPast(command: Command): command is PastCommand {
  return command.kind === 'switchSpec' || isLateCommand(command)
}

/** In words for whoever looks at a page. */
function troubleOf(error: unknown): string {
  if (error instanceof JournalDamaged) {
    return `${error.message}. Everything before it is counted, nothing after it: see \`npm run journal -- --help\`.`
  }
  return isDiskFull(error) ? DISK_FULL : AWAY
}

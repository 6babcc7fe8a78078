import type { Command } from '@/server/contracts/command'
import { type EventBatch, EventBatchBuilder, ORDER, REFUND } from '@/server/contracts/eventBatch'
import type { ClosedWindow } from '@/server/contracts/flush'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import { fromDecimal } from '@/server/contracts/money'
import type { PipelineSpec } from '@/server/contracts/pipelineSpec'
import type { Revision } from '@/server/contracts/windowRow'
import type { StepOutcome } from '@/server/engine/outcome'
import { restoreSnapshot, takeSnapshot } from '@/server/engine/snapshot'
import { type EngineState, initialState } from '@/server/engine/state'
import { step } from '@/server/engine/step'
import { ASKED } from './pipeline'
import type { Element } from './steps'

/** An element that came too late for these windows; all of them, or some. */
export interface LateSeen {
  readonly element: Element
  readonly all: boolean
  readonly start: number
  readonly end: number
}

/** What the engine said in one step of a vector, of the view that is asked about. */
export interface Seen {
  readonly revisions: Revision[]
  readonly closed: ClosedWindow[]
  readonly late: LateSeen[]
  watermark: number
  /** No source is active; false before the first one. */
  idle: boolean
}

export interface EventOf {
  readonly element: Element
  readonly source: string
  readonly ts: number
  readonly amount: string
  readonly refund: boolean
}

const ORDER_BY_TEST = { by: 'vectors', reason: '' }

/** The real engine, fed with journal records, and what it said by step. All times are ms. */
export class Drive {
  readonly #records: JournalEntry[] = []
  #state: EngineState = initialState()
  #everHadSource = false
  #idle = false
  now: number
  seen: Seen

  constructor(spec: PipelineSpec, at: number) {
    this.now = at
    this.seen = nothingSeen()
    this.record({ kind: 'spec', at, spec })
    this.beginStep()
  }

  /** From here on what is said belongs to a new step. */
  beginStep(): Seen {
    this.seen = { ...nothingSeen(), watermark: this.#state.clock.watermark, idle: this.#idle }
    return this.seen
  }

  isIdle(source: string): boolean {
    return this.#state.clock.sources.get(source)?.idle === true
  }

  events(events: readonly EventOf[]): void {
    const outcome = this.record({
      kind: 'events',
      at: this.now,
      batch: batchOf(events, this.now),
      rejected: [],
    })
    for (const late of outcome.late) this.#seeLate(events, late.row, true, late.windowStart, late.windowEnd)
    for (const missed of outcome.missed) {
      this.#seeLate(events, missed.row, false, missed.firstStart, missed.lastEnd)
    }
  }

  #seeLate(events: readonly EventOf[], row: number, all: boolean, start: number, end: number): void {
    const element = events[row]?.element
    if (element) this.seen.late.push({ element, all, start, end })
  }

  mark(source: string, mark: number): void {
    const marks = [{ row: 0, source, mark, at: this.now }]
    this.record({ kind: 'events', at: this.now, batch: batchOf([], this.now), rejected: [], marks })
  }

  tick(): void {
    this.record({ kind: 'tick', at: this.now })
  }

  /** Journal time goes on until every window by journal time has ended. */
  passAll(): void {
    this.now += FAR
    this.tick()
  }

  end(): void {
    this.record({ kind: 'end', at: this.now })
  }

  /** Why the command was refused, or null. */
  command(command: Command): string | null {
    const { command: outcome } = this.record({
      kind: 'command',
      at: this.now,
      command,
      order: ORDER_BY_TEST,
    })
    return outcome ? outcome.refused : 'the engine said nothing of the command'
  }

  /** Goes on from a snapshot of the state instead of the state itself. */
  snapshotRestore(): void {
    this.#state = restoreSnapshot(takeSnapshot(this.#state))
  }

  record(entry: JournalEntry): StepOutcome {
    this.#records.push(entry)
    const outcome = step(this.#state, { ...entry, position: this.#state.position + 1 })
    this.seen.revisions.push(...outcome.revisions.filter(({ view }) => view === ASKED))
    this.seen.closed.push(...outcome.closed.filter(({ view }) => view === ASKED))
    this.#look()
    return outcome
  }

  #look(): void {
    const { clock } = this.#state
    const sources = [...clock.sources.values()]
    if (sources.length > 0) this.#everHadSource = true
    // A retired source is gone from the combination when time next passes; until then the status stands.
    if (!clock.stale) this.#idle = this.#everHadSource && sources.every((source) => source.idle)
    this.seen.watermark = clock.watermark
    this.seen.idle = this.#idle
  }

  /**
   * Every revision there would be if the stream ended here: the same records folded once more from zero, and an end.
   * The last one of each row is the total that it stands at.
   */
  revisionsIfEnded(): readonly Revision[] {
    const state = initialState()
    const at = this.now + FAR
    const records = [...this.#records, { kind: 'tick', at } as const, { kind: 'end', at } as const]
    return records
      .flatMap((entry, i) => step(state, { ...entry, position: i + 1 }).revisions)
      .filter(({ view }) => view === ASKED)
  }
}

/** Journal time in which every window by journal time ends, ms. */
const FAR = 1_000_000_000_000

export function nothingSeen(): Seen {
  return { revisions: [], closed: [], late: [], watermark: Number.NEGATIVE_INFINITY, idle: false }
}

function batchOf(events: readonly EventOf[], at: number): EventBatch {
  const builder = new EventBatchBuilder()
  for (const { element, source, ts, amount, refund } of events) {
    const { hi, lo } = fromDecimal(amount)
    const id = `e${element.ordinal}`
    builder.add({
      journalTime: at,
      source,
      eventId: id,
      orderId: id,
      userId: null,
      type: refund ? REFUND : ORDER,
      amountHi: hi,
      amountLo: lo,
      currency: 'USD',
      eventTime: ts,
      dimensions: element.key === null ? [] : [['key', element.key]],
    })
  }
  return builder.build()
}

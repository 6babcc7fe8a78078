import { type EventBatch, ORDER } from '../contracts/eventBatch'
import { finiteOrNull } from '../contracts/instant'
import { stringAt } from '../contracts/stringTable'
import { advance, touch } from './advance'
import { BatchKeys } from './aggregate/batchKeys'
import { addGross, addRefund, type Cell } from './aggregate/cell'
import { hashTable } from './aggregate/hash128'
import type { SourceClock } from './clock/sourceClock'
import type { StepOutcome } from './outcome'
import { MOST_IDS, publishPending } from './publish'
import { type Counts, countsOf, type EngineState, type PipelineState, settingsOf } from './state'
import { isClosed } from './windows/viewState'
import { cellFor, type WindowState } from './windows/windowState'

/** Salts of a row's distinct ids: two a row. */
const ORDERS = 0
const BUYERS = 1
/** Odd, so that no two sources are given one salt. */
const SOURCE_SALT = 0x9e3779b1

/** Folds the accepted events of one record, in order of arrival. Lives for one record. */
export class BatchFold {
  readonly #state: EngineState
  readonly #pipeline: PipelineState
  readonly #batch: EventBatch
  readonly #outcome: StepOutcome
  readonly #hashes: Uint32Array
  readonly #keys: readonly BatchKeys[]
  readonly #lanes = new Map<number, Lane>()
  #pending: Cell[] = []

  constructor(state: EngineState, pipeline: PipelineState, batch: EventBatch, outcome: StepOutcome) {
    this.#state = state
    this.#pipeline = pipeline
    this.#batch = batch
    this.#outcome = outcome
    this.#hashes = hashTable(batch.strings)
    this.#keys = pipeline.views.map((view) => new BatchKeys(batch, view.spec.groupBy))
  }

  run(): void {
    const perEvent = this.#pipeline.spec.coalesce === 'event'
    for (let row = 0; row < this.#batch.count; row++) {
      this.#foldEvent(row)
      if (perEvent) this.#publishPending()
    }
    this.#publishPending()
  }

  /** The order of the rules is theirs: time passes, the source speaks, the event counts, then its own watermark. */
  #foldEvent(row: number): void {
    const at = this.#batch.journalTime[row] ?? 0
    const eventTime = this.#batch.eventTime[row] ?? 0
    const { clock } = this.#state
    if (clock.passTime(at)) advance(this.#state, this.#pipeline, at, this.#outcome)
    const lane = this.#lane(this.#batch.source[row] ?? 0, at)
    clock.speak(lane.clock, at)
    lane.counts.received++
    this.#state.counts.received++
    if (this.#isDuplicate(row, lane)) return
    const { end, start } = this.#pipeline.base.assign(eventTime)
    if (isClosed(end, clock.watermark, this.#pipeline.spec.allowedLateness)) this.#late(row, lane, start, end)
    else this.#count(row, eventTime, lane)
    if (clock.observe(lane.clock, eventTime)) advance(this.#state, this.#pipeline, at, this.#outcome)
  }

  #isDuplicate(row: number, lane: Lane): boolean {
    const h = this.#hashes
    const i = (this.#batch.eventId[row] ?? 0) * 4
    const { salt } = lane
    salt.a = ((h[i] ?? 0) + lane.s0) >>> 0
    salt.b = ((h[i + 1] ?? 0) + lane.s1) >>> 0
    salt.c = ((h[i + 2] ?? 0) + lane.s2) >>> 0
    salt.d = ((h[i + 3] ?? 0) + lane.s3) >>> 0
    const content = this.#pipeline.ids.find(salt.a, salt.b, salt.c, salt.d)
    if (content === null) return false
    this.#tally(lane, 'duplicate')
    if (content !== this.#contentHash(row)) {
      this.#tally(lane, 'conflict')
      this.#outcome.conflicts.push({ row })
    }
    return true
  }

  #late(row: number, lane: Lane, windowStart: number, windowEnd: number): void {
    const { watermark } = this.#state.clock
    this.#tally(lane, 'late')
    this.#outcome.late.push({
      row,
      windowStart,
      windowEnd,
      watermark: finiteOrNull(watermark),
      lateBy: Math.min(
        watermark - (windowEnd - 1 + this.#pipeline.spec.allowedLateness),
        Number.MAX_SAFE_INTEGER,
      ),
    })
  }

  /** Counts an event in its window of every view: one counted set (semantics.md §1). */
  #count(row: number, eventTime: number, lane: Lane): void {
    const { views, ids } = this.#pipeline
    let corrects = false
    for (let v = 0; v < views.length; v++) {
      const view = views[v]
      const keys = this.#keys[v]
      if (!view || !keys) continue
      const window = view.find(eventTime) ?? this.#open(view, eventTime)
      const cell = cellFor(window, keys.keyOf(row), view.spec.maxKeys)
      this.#addTo(cell, row)
      touch(cell, this.#state.position, this.#outcome)
      if (window.fired) {
        corrects = true
        this.#correct(cell, row)
      }
      if (view.isBase) {
        const { a, b, c, d } = lane.salt
        ids.insert(a, b, c, d, this.#contentHash(row), window.ordinal)
      }
    }
    this.#tally(lane, corrects ? 'corrected' : 'inTime')
  }

  #open(view: PipelineState['base'], eventTime: number): WindowState {
    const { clock } = this.#state
    return view.open(eventTime, ++this.#pipeline.windowsOpened, clock.watermark, () => clock.idleSources())
  }

  #addTo(cell: Cell, row: number): void {
    const batch = this.#batch
    cell.events++
    const hi = batch.amountHi[row] ?? 0
    const lo = batch.amountLo[row] ?? 0
    if (batch.type[row] !== ORDER) {
      addRefund(cell, hi, lo)
      return
    }
    addGross(cell, hi, lo)
    const { distinct } = cell.window
    const salt = cell.ordinal * 2
    if (distinct.add(salt + ORDERS, this.#hashes, (batch.orderId[row] ?? 0) * 4)) cell.orders++
    const user = batch.userId[row] ?? 0
    if (user !== 0 && distinct.add(salt + BUYERS, this.#hashes, user * 4)) cell.buyers++
  }

  /**
   * A key's first event after its window fired is published by itself, a correction from zero (semantics.md §4);
   * what follows within the record is coalesced. So the first value of a row does not depend on how records are cut.
   */
  #correct(cell: Cell, row: number): void {
    if (!cell.pending) {
      cell.pending = { count: 0, rows: [], at: 0, watermark: 0 }
      this.#pending.push(cell)
    }
    const { pending } = cell
    pending.count++
    if (pending.rows.length < MOST_IDS) pending.rows.push(row)
    pending.at = this.#batch.journalTime[row] ?? 0
    // Not that of the record's end: by then the window may have closed, which a correction of it would contradict.
    pending.watermark = this.#state.clock.watermark
    if (cell.revision === 0) this.#publish(cell)
  }

  #publishPending(): void {
    for (const cell of this.#pending) this.#publish(cell)
    if (this.#pending.length > 0) this.#pending = []
  }

  #publish(cell: Cell): void {
    const revision = publishPending(cell, this.#batch, this.#state.position)
    if (revision) this.#outcome.revisions.push(revision)
  }

  /** Everything about an event that an honest repeat repeats; its id and source are what it is looked up by. */
  #contentHash(row: number): number {
    const batch = this.#batch
    const word = (index: number | undefined) => this.#hashes[(index ?? 0) * 4] ?? 0
    const eventTime = batch.eventTime[row] ?? 0
    let h = mix(eventTime % 0x1_0000_0000, Math.floor(eventTime / 0x1_0000_0000))
    h = mix(h, word(batch.orderId[row]))
    h = mix(h, word(batch.userId[row]))
    h = mix(h, word(batch.currency[row]))
    h = mix(h, (batch.amountHi[row] ?? 0) * 2 + (batch.type[row] ?? 0))
    h = mix(h, batch.amountLo[row] ?? 0)
    let dims = 0
    // Added up, so that the order in which the dimensions were sent does not matter.
    for (const { name, value } of batch.dimensions) {
      const index = value[row] ?? 0
      if (index !== 0) dims = (dims + mix(nameHash(name), word(index))) | 0
    }
    return mix(h, dims) >>> 0
  }

  #tally(lane: Lane, outcome: keyof Counts): void {
    lane.counts[outcome]++
    this.#state.counts[outcome]++
  }

  /** An undeclared source counts from its first accepted event (semantics.md §3). */
  #lane(index: number, at: number): Lane {
    const known = this.#lanes.get(index)
    if (known) return known
    const name = stringAt(this.#batch.strings, index)
    const { clock } = this.#state
    const source = clock.sources.get(name) ?? clock.add(name, false, this.#settings(name), at)
    const h = this.#hashes
    const i = index * 4
    const lane: Lane = {
      clock: source,
      counts: countsOf(this.#state, name),
      // Multiplied, so that the sum with an id's hash is not the sum of source and id the other way round.
      s0: Math.imul(h[i] ?? 0, SOURCE_SALT),
      s1: Math.imul(h[i + 1] ?? 0, SOURCE_SALT),
      s2: Math.imul(h[i + 2] ?? 0, SOURCE_SALT),
      s3: Math.imul(h[i + 3] ?? 0, SOURCE_SALT),
      salt: { a: 0, b: 0, c: 0, d: 0 },
    }
    this.#lanes.set(index, lane)
    return lane
  }

  #settings(name: string) {
    const { spec } = this.#pipeline
    return settingsOf(
      spec,
      spec.sources.find((s) => s.name === name),
    )
  }
}

/** One source within a batch, with its hash: an event id is unique within its source only. */
interface Lane {
  readonly clock: SourceClock
  readonly counts: Counts
  readonly s0: number
  readonly s1: number
  readonly s2: number
  readonly s3: number
  /** Hash of the event that is being folded. */
  readonly salt: { a: number; b: number; c: number; d: number }
}

function mix(h: number, k: number): number {
  let x = Math.imul(h ^ (k | 0), 0x9e3779b1)
  x ^= x >>> 15
  return Math.imul(x, 0x85ebca6b) ^ (x >>> 13)
}

function nameHash(name: string): number {
  let h = name.length
  for (let i = 0; i < name.length; i++) h = mix(h, name.charCodeAt(i))
  return h
}

import { ORDER } from '../contracts/eventBatch'
import { finiteOrNull, MIN_INSTANT } from '../contracts/instant'
import type { JournalEntry, Mark } from '../contracts/journalRecord'
import { KeysByGrouping } from './aggregate/batchKeys'
import { hashTable } from './aggregate/hash128'
import type { SourceClock } from './clock/sourceClock'
import { contentHashes } from './contentHash'
import type { Emitter } from './emitter'
import { idHashes } from './idHashes'
import { type Lane, Lanes } from './lane'
import { advance, passTime } from './passTime'
import { type EngineState, type PipelineState, tally } from './state'
import type { EventInHand, LateWindow } from './windows/view'

type EventsEntry = Extract<JournalEntry, { kind: 'events' }>

/** Folds the accepted events and marks of one record, in order of arrival. Lives for one record. */
export class BatchFold {
  readonly #state: EngineState
  readonly #pipeline: PipelineState
  readonly #entry: EventsEntry
  readonly #emit: Emitter
  readonly #lanes: Lanes
  readonly #content: Int32Array
  readonly #ids: Int32Array
  readonly #event: EventInHand
  /** Each correction makes a revision of its own. */
  readonly #perEvent: boolean
  /** Journal time to which time was last let pass. */
  #passedTo = MIN_INSTANT
  #nextMark = 0

  constructor(state: EngineState, pipeline: PipelineState, entry: EventsEntry, emit: Emitter) {
    const { batch } = entry
    const { scratch } = pipeline
    const hashes = hashTable(batch.strings, scratch)
    this.#state = state
    this.#pipeline = pipeline
    this.#entry = entry
    this.#emit = emit
    this.#perEvent = pipeline.spec.coalesce === 'event'
    this.#lanes = new Lanes(state, pipeline, emit, batch)
    this.#content = contentHashes(batch, hashes, scratch)
    this.#ids = idHashes(batch, hashes, scratch)
    this.#event = {
      batch,
      hashes,
      row: 0,
      at: 0,
      eventTime: 0,
      isOrder: true,
      amountHi: 0,
      amountLo: 0,
      orderHash: 0,
      userHash: -1,
      watermark: MIN_INSTANT,
      leftOut: () => state.clock.idleSources(),
      overflow: false,
    }
    const keys = new KeysByGrouping(batch, hashes, scratch)
    for (const view of pipeline.views) view.beginBatch(keys)
  }

  run(): void {
    const { batch, marks = [] } = this.#entry
    const { ids } = this.#pipeline
    ids.prefetch(this.#ids)
    for (let row = 0; row < batch.count; row++) {
      if (marks.length > 0) this.#foldMarks(marks, row)
      this.#foldEvent(row)
    }
    this.#foldMarks(marks, batch.count)
    ids.tidy()
    this.#emit.publishAllPending(batch)
    this.#reportOverflow()
  }

  /** The order of the rules is theirs: time passes, the source speaks, the event counts, then its own watermark. */
  #foldEvent(row: number): void {
    const { batch } = this.#entry
    const at = batch.journalTime[row] ?? 0
    const eventTime = batch.eventTime[row] ?? 0
    this.#passTo(at)
    const lane = this.#lanes.of(batch.source[row] ?? 0, at)
    const source = lane.clock
    this.#state.clock.speak(source, at)
    this.#watch(source, eventTime, at)
    if (source.test) {
      tally(this.#state, lane.counts, 'test')
      this.#emit.outcome.uncounted.push(row)
      source.observe(eventTime)
      return
    }
    lane.counts.received++
    this.#state.counts.received++
    if (this.#isDuplicate(row, lane)) return
    source.adaptive?.passTime(at)
    this.#judge(row, at, eventTime, lane)
    // Before the watermark that it causes fires others, as in Flink.
    if (this.#perEvent) this.#emit.publishAllPending(batch)
    source.adaptive?.sample(at - eventTime)
    if (this.#state.clock.observe(source, eventTime)) this.#advance(at)
  }

  /** Marks that stand before row `row`: each like an event that counts nothing (semantics.md §2, punctuated). */
  #foldMarks(marks: readonly Mark[], row: number): void {
    for (let mark = marks[this.#nextMark]; mark && mark.row <= row; mark = marks[this.#nextMark]) {
      this.#nextMark++
      this.#passTo(mark.at)
      const source = this.#lanes.clockOf(mark.source, mark.at)
      this.#state.clock.speak(source, mark.at)
      if (this.#state.clock.takeMark(source, mark.mark)) this.#advance(mark.at)
    }
  }

  #passTo(at: number): void {
    // One request has one time; sources join, speak and are marked at it without its passing again.
    if (at === this.#passedTo && !this.#state.clock.stale) return
    this.#passedTo = at
    passTime(this.#state, this.#pipeline, at, this.#emit)
  }

  #advance(at: number): void {
    advance(this.#state, this.#pipeline, at, this.#emit)
  }

  #watch(source: SourceClock, eventTime: number, at: number): void {
    if (!source.stale.see(eventTime, source.maxTs)) return
    this.#emit.notice(source.resendsHistory ? 'resends_history' : 'resends_history_over', source.name, at)
  }

  #isDuplicate(row: number, lane: Lane): boolean {
    const words = this.#ids
    const i = row * 4
    const content = this.#pipeline.ids.find(
      words[i] ?? 0,
      words[i + 1] ?? 0,
      words[i + 2] ?? 0,
      words[i + 3] ?? 0,
    )
    if (content === null) return false
    tally(this.#state, lane.counts, 'duplicate')
    this.#emit.outcome.uncounted.push(row)
    if (content !== this.#content[row]) {
      tally(this.#state, lane.counts, 'conflict')
      this.#emit.outcome.conflicts.push({ row })
    }
    return true
  }

  /** Late, or counted in its windows of every view: one counted set, judged by the base view (semantics.md §1). */
  #judge(row: number, at: number, eventTime: number, lane: Lane): void {
    const event = this.#take(row, at, eventTime)
    const late = this.#pipeline.base.lateFor(event)
    if (late) this.#late(event, late, lane)
    else this.#count(event, lane)
  }

  #take(row: number, at: number, eventTime: number): EventInHand {
    const event = this.#event
    const { batch } = this.#entry
    event.row = row
    event.at = at
    event.eventTime = eventTime
    event.isOrder = batch.type[row] === ORDER
    event.amountHi = batch.amountHi[row] ?? 0
    event.amountLo = batch.amountLo[row] ?? 0
    event.orderHash = (batch.orderId[row] ?? 0) * 4
    const user = batch.userId[row] ?? 0
    event.userHash = user === 0 ? -1 : user * 4
    event.watermark = this.#state.clock.watermark
    event.overflow = false
    return event
  }

  #late(event: EventInHand, { start, end }: LateWindow, lane: Lane): void {
    const { watermark } = event
    tally(this.#state, lane.counts, 'late')
    this.#emit.outcome.uncounted.push(event.row)
    const lateBy = watermark - (end - 1 + this.#pipeline.horizon.lateness)
    this.#emit.outcome.late.push({
      row: event.row,
      windowStart: start,
      windowEnd: end,
      watermark: finiteOrNull(watermark),
      lateBy: Math.max(0, Math.min(lateBy, Number.MAX_SAFE_INTEGER)),
    })
  }

  #count(event: EventInHand, lane: Lane): void {
    const { views, base, ids } = this.#pipeline
    let corrects = false
    for (let v = 0; v < views.length; v++) if (views[v]?.count(event, this.#emit)) corrects = true
    ids.insertFound(this.#content[event.row] ?? 0, base.holder)
    if (base.missed) this.#missed(event)
    if (event.overflow) tally(this.#state, lane.counts, 'overflow')
    // Spelt out, as for `received`: every event comes by, and a field by its name in a variable is slow.
    if (corrects) {
      this.#emit.outcome.corrected.push(event.row)
      lane.counts.corrected++
      this.#state.counts.corrected++
    } else {
      lane.counts.inTime++
      this.#state.counts.inTime++
    }
  }

  #missed({ row, watermark }: EventInHand): void {
    const { base } = this.#pipeline
    if (!base.missed) return
    this.#emit.outcome.missed.push({
      row,
      view: base.spec.id,
      ...base.missed,
      watermark: finiteOrNull(watermark),
    })
  }

  /** Said once a view: which of them folds keys away. */
  #reportOverflow(): void {
    const { reported } = this.#pipeline
    for (const view of this.#emit.overflowed) {
      if (reported.has(view)) continue
      reported.add(view)
      this.#emit.notice('keys_over_cap', view, this.#entry.at)
    }
  }
}

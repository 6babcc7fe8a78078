import { type Instant, MAX_INSTANT, MIN_INSTANT } from '../../contracts/instant'
import type { ViewSpec } from '../../contracts/viewSpec'
import type { CumulateSpec, SlidingSpec } from '../../contracts/windowSpec'
import type { BatchKeys, KeysByGrouping } from '../aggregate/batchKeys'
import type { Emitter, Moment } from '../emitter'
import type { TouchedRows } from '../row'
import type { SegmentReader, SegmentWriter } from '../snapshot/segment'
import { restoreSliced, saveSliced } from '../snapshot/slicedView'
import { Closing } from './closing'
import { type Delta, Differences } from './differences'
import { DueQueue } from './dueQueue'
import { fireAgain } from './fireAgain'
import { BUYERS, ORDERS } from './keyedWindow'
import { type LiveKey, LiveKeys } from './liveKeys'
import { type Neighbours, Occurrences } from './occurrences'
import { SlicedWindow } from './slicedWindow'
import { type Slice, type Slicing, slicingOf } from './slicing'
import type {
  BaseView,
  Changed,
  EventInHand,
  LateWindow,
  Missed,
  OthersWith,
  Passing,
  Place,
  Scope,
} from './view'
import type { ViewParts } from './windowedView'

/** A slice with its windows in order; `missed` are those that had closed when last looked. */
interface LiveSlice {
  readonly slice: Slice
  readonly ids: readonly number[]
  windows: readonly SlicedWindow[]
  missed: Missed | null
  holder: number
  /** Number of closings of the view when it was last looked at. */
  seen: number
}

/** A view whose windows overlap: sliding or cumulate, counted once a slice (semantics.md §4). */
export class SlicedView implements BaseView {
  spec: ViewSpec
  readonly isBase: boolean
  readonly #parts: ViewParts
  readonly #slicing: Slicing
  readonly #byJournal: boolean
  #windows = new Map<number, SlicedWindow>()
  /** Ids of the windows that are held, ascending; closed ones stay until all before them are closed. */
  #order: number[] = []
  #slices = new Map<number, LiveSlice>()
  #toFire = new DueQueue<SlicedWindow>()
  #toClose: Closing<SlicedWindow>
  #differences = new Differences()
  #occurrences = new Occurrences()
  #names = new LiveKeys()
  /** Windows up to this id are closed and forgotten. */
  #passed: Instant = MIN_INSTANT
  /** The last window that has a row. */
  #shownTo: Instant = MIN_INSTANT
  /** Windows that closed so far: what was sorted out before the last of them must be looked at again. */
  #closings = 0
  #keys: BatchKeys | null = null
  #current: LiveSlice | null = null

  constructor(spec: ViewSpec, window: SlidingSpec | CumulateSpec, isBase: boolean, parts: ViewParts) {
    this.spec = spec
    this.isBase = isBase
    this.#parts = parts
    this.#slicing = slicingOf(window)
    this.#byJournal = spec.time === 'journal'
    this.#toClose = new Closing(parts.closing, parts.horizon, (w) => w.end - 1)
  }

  get openCount(): number {
    return this.#count((window) => !window.fired)
  }

  get firedCount(): number {
    return this.#count((window) => window.fired && !window.closed)
  }

  get holder(): number {
    return this.#current?.holder ?? 0
  }

  get missed(): Missed | null {
    return this.#current?.missed ?? null
  }

  beginBatch(keys: KeysByGrouping): void {
    this.#keys = keys.of(this.spec.groupBy)
    this.#names.beginBatch()
  }

  lateFor(event: EventInHand): LateWindow | null {
    const slice = this.#slicing.sliceOf(event.eventTime)
    // The last window closes last, but for changes of L.
    if (!this.#isClosed(slice.last)) return null
    if (this.#slicing.idsOf(slice).some((id) => !this.#isClosed(id))) return null
    return { start: this.#slicing.startOf(slice.last), end: this.#slicing.endOf(slice.last) }
  }

  count(event: EventInHand, emit: Emitter): boolean {
    const keys = this.#keys
    if (keys === null) throw new RangeError('no batch')
    const live = this.#liveSlice(this.#byJournal ? event.at : event.eventTime, event)
    this.#current = live
    keys.look(event.row)
    const key = this.#names.keyOf(keys, event.row, this.spec.maxKeys)
    if (key.isOther) {
      event.overflow = true
      emit.overflowed.add(this.spec.id)
    }
    this.#add(event, key, live.slice)
    return this.#show(event, key, live, emit)
  }

  #add(event: EventInHand, key: LiveKey, slice: Slice): void {
    const { amountHi, amountLo } = event
    const money: Delta = event.isOrder
      ? { grossHi: amountHi, grossLo: amountLo }
      : { refundsHi: amountHi, refundsLo: amountLo }
    this.#differences.add(key.id, slice.first, slice.last, { ...money, events: 1 })
    if (!event.isOrder) return
    this.#addDistinct(key.id, ORDERS, event.hashes, event.orderHash, slice)
    if (event.userHash >= 0) this.#addDistinct(key.id, BUYERS, event.hashes, event.userHash, slice)
  }

  /** Counts an id in those windows of the slice that had not seen it: from behind the last to before the next. */
  #addDistinct(key: number, kind: number, hashes: Int32Array, at: number, slice: Slice): void {
    const near = this.#occurrences.see(key * 2 + kind, hashes, at, slice.start)
    if (near) this.#addBetween(key, kind, near, slice, 1)
  }

  #addBetween(key: number, kind: number, near: Neighbours, slice: Slice, by: 1 | -1): void {
    const { sliceOf } = this.#slicing
    const first = near.before === null ? slice.first : Math.max(slice.first, sliceOf(near.before).last + 1)
    const last = near.after === null ? slice.last : Math.min(slice.last, sliceOf(near.after).first - 1)
    this.#differences.add(key, first, last, kind === ORDERS ? { orders: by } : { buyers: by })
  }

  /**
   * Corrects the windows that fired, and shows the total of the one in progress; and of later ones only where it is
   * shown already: 1,440 rows an event would help nobody.
   */
  #show(event: EventInHand, key: LiveKey, live: LiveSlice, emit: Emitter): boolean {
    let corrects = false
    let shown = false
    for (const window of live.windows) {
      if (shown && window.windowId > this.#shownTo) break
      if (shown && !window.fired && !window.hasRow(key)) continue
      const row = this.#rowOf(window, key)
      emit.touch(window, row)
      if (window.fired) {
        corrects = true
        emit.correct(window, row, event.batch, event.row, event.watermark)
      } else shown = true
    }
    return corrects
  }

  placesOf(eventTime: number, at: number, now: Moment): Place[] {
    const slice = this.#slicing.sliceOf(this.#byJournal ? at : eventTime)
    return this.#slicing.idsOf(slice).map((windowId) => this.#placeOf(windowId, now))
  }

  #placeOf(windowId: number, now: Moment): Place {
    const [start, end] = [this.#slicing.startOf(windowId), this.#slicing.endOf(windowId)]
    const window = this.#windows.get(windowId)
    const held = window && !window.closed ? window : null
    const closed = !held && (this.#isClosed(windowId) || this.#toClose.isPast(start, end, now))
    return { windowId, start, end, held, closed }
  }

  recount(event: EventInHand, now: Moment): Changed[] {
    const { keys, slice } = this.#looked(event)
    const windows = this.placesOf(event.eventTime, event.at, now)
      .filter(({ closed }) => !closed)
      .map(({ windowId }) => this.#windows.get(windowId) ?? this.#open(windowId, event))
    if (windows.length === 0) return []
    const key = this.#names.keyOf(keys, event.row, this.spec.maxKeys)
    if (key.isOther) event.overflow = true
    this.#add(event, key, slice)
    return this.#shown(windows, key).map((window) => ({ window, ordinal: this.#rowOf(window, key) }))
  }

  /** The windows in which a change of a key's values shows: those that fired, the one in progress, and later ones with a row. */
  #shown(windows: readonly SlicedWindow[], key: LiveKey): SlicedWindow[] {
    const inProgress = windows.find((window) => !window.fired)
    return windows.filter((window) => window.fired || window === inProgress || window.hasRow(key))
  }

  scopeOf(event: EventInHand): Scope | null {
    const { keys, slice } = this.#looked(event)
    if (!this.#heldOf(slice)) return null
    const key = this.#names.counting(keys, event.row)
    return key && this.#scopeIn(slice, key)
  }

  takeOut(event: EventInHand, others: OthersWith): Changed[] {
    const { keys, slice } = this.#looked(event)
    const windows = this.#heldOf(slice)
    if (!windows) return []
    const key = this.#names.counting(keys, event.row)
    if (!key) throw new RangeError(`view ${this.spec.id} holds no row of a counted event`)
    if (key.isOther) event.overflow = true
    const { amountHi, amountLo } = event
    const money: Delta = event.isOrder
      ? { grossHi: -amountHi, grossLo: -amountLo }
      : { refundsHi: -amountHi, refundsLo: -amountLo }
    this.#differences.add(key.id, slice.first, slice.last, { ...money, events: -1 })
    if (event.isOrder) {
      const scope = this.#scopeIn(slice, key)
      if (others(scope, 'orders') === 0)
        this.#dropDistinct(key.id, ORDERS, event.hashes, event.orderHash, slice)
      if (event.userHash >= 0 && others(scope, 'buyers') === 0)
        this.#dropDistinct(key.id, BUYERS, event.hashes, event.userHash, slice)
    }
    return this.#shown(windows, key).map((window) => ({ window, ordinal: this.#rowOf(window, key) }))
  }

  #looked(event: EventInHand): { keys: BatchKeys; slice: Slice } {
    const keys = this.#keys
    if (keys === null) throw new RangeError('no batch')
    keys.look(event.row)
    return { keys, slice: this.#slicing.sliceOf(this.#byJournal ? event.at : event.eventTime) }
  }

  #heldOf(slice: Slice): SlicedWindow[] | null {
    const windows = this.#slicing.idsOf(slice).flatMap((id) => this.#windows.get(id) ?? [])
    const held = windows.filter((window) => !window.closed)
    return held.length > 0 ? held : null
  }

  /** Within one slice: what an id does to the windows around it, its neighbours in other slices say. */
  #scopeIn(slice: Slice, key: LiveKey): Scope {
    return {
      name: `${this.spec.id}#${slice.start}`,
      from: slice.start,
      to: this.#slicing.endOfSlice(slice),
      key: key.parts.text,
      isOther: key.isOther,
      isOwn: (keys, row) => this.#names.isOwn(keys, row),
    }
  }

  /** Takes an id out of those windows of the slice that see it in no other slice. */
  #dropDistinct(key: number, kind: number, hashes: Int32Array, at: number, slice: Slice): void {
    const near = this.#occurrences.forget(key * 2 + kind, hashes, at, slice.start)
    if (near) this.#addBetween(key, kind, near, slice, -1)
  }

  #rowOf(window: SlicedWindow, key: LiveKey): number {
    if (window.windowId > this.#shownTo) this.#shownTo = window.windowId
    return window.rowOf(key)
  }

  fireDue(passing: Passing, emit: Emitter): void {
    const now = this.#byJournal ? passing.at - 1 : passing.watermark
    for (let window = this.#toFire.popDue(now); window; window = this.#toFire.popDue(now)) {
      if (window.fired) fireAgain(window, passing, emit)
      else this.#fire(window, 'on-time', passing, emit)
    }
  }

  fireAll(passing: Passing, emit: Emitter): void {
    if (this.#byJournal) return
    for (const id of this.#order) {
      const window = this.#windows.get(id)
      if (!window || window.fired) continue
      window.byInactivity = true
      this.#fire(window, 'inactivity', passing, emit)
    }
  }

  #fire(window: SlicedWindow, kind: 'on-time' | 'inactivity', passing: Passing, emit: Emitter): void {
    window.fired = true
    window.leftOut = passing.leftOut
    for (const key of [...this.#differences.keys()].sort((a, b) => a - b)) {
      if (this.#differences.valuesOf(key, window.windowId).events > 0)
        this.#rowOf(window, this.#names.byId(key))
    }
    emit.fire(window, kind, passing)
  }

  closeDue(passing: Passing, emit: Emitter, released: (ordinal: number) => void): void {
    const now = this.#byJournal ? passing.at - 1 : passing.watermark
    for (const window of this.#toClose.take(now)) {
      window.keepValues()
      this.#closings++
      if (this.isBase) this.#parts.horizon.pass(window.end)
      emit.close(window)
      released(window.ordinal)
    }
    this.#pass()
  }

  /** Forgets the closed windows before which no other can be opened. */
  #pass(): void {
    let passed: SlicedWindow | null = null
    for (;;) {
      const window = this.#windows.get(this.#order[0] ?? Number.NaN)
      if (!window?.closed || !this.#canPass(window)) break
      this.#order.shift()
      this.#windows.delete(window.windowId)
      passed = window
    }
    if (!passed) return
    this.#differences.pass(passed.windowId, (key) => this.#names.drop(key))
    this.#passed = passed.windowId
    for (const [start, { slice }] of this.#slices) if (slice.last <= this.#passed) this.#slices.delete(start)
    this.#occurrences.pass(this.#slicing.firstSliceAfter(this.#passed))
  }

  #canPass(window: SlicedWindow): boolean {
    const { closing } = this.#parts
    return closing.kind !== 'byBase' || closing.base.firstStart() >= window.end
  }

  reschedule(): void {
    this.#toClose.clear()
    for (const window of this.#windows.values()) if (!window.closed) this.#toClose.add(window)
  }

  closesLatest(from: number, to: number): Instant {
    let latest = MIN_INSTANT
    for (const window of this.windows()) {
      if (window.start <= to && from < window.end) latest = Math.max(latest, window.closesAt)
    }
    return latest
  }

  firstStart(): Instant {
    let first = MAX_INSTANT
    for (const window of this.windows()) first = Math.min(first, window.start)
    return first
  }

  *liveRows(): Iterable<TouchedRows> {
    for (const window of this.windows()) {
      yield { group: window, ordinals: Array.from({ length: window.cells.count }, (_, i) => i) }
    }
  }

  *windows(): Iterable<SlicedWindow> {
    for (const window of this.#windows.values()) if (!window.closed) yield window
  }

  size(): { distinct: number; rows: number; keys: number } {
    let rows = this.#differences.bytes
    for (const window of this.#windows.values()) rows += window.cells.bytes
    return { distinct: this.#occurrences.bytes, rows, keys: this.#names.bytes }
  }

  save(out: SegmentWriter): void {
    const windows = this.#order.flatMap((id) => this.#windows.get(id) ?? [])
    const [passed, names] = [this.#passed, this.#names]
    saveSliced(
      { passed, names, windows, differences: this.#differences, occurrences: this.#occurrences },
      out,
    )
  }

  restore(from: SegmentReader): void {
    const parts = restoreSliced({ view: this.spec.id, version: this.spec.version }, from)
    this.#passed = parts.passed
    this.#names = parts.names
    this.#differences = parts.differences
    this.#occurrences = parts.occurrences
    for (const window of parts.windows) {
      if (window.cells.count > 0) this.#shownTo = window.windowId
      if (!window.fired || window.byInactivity) this.#toFire.push(window, window.end - 1)
      this.#hold(window)
    }
  }

  #count(which: (window: SlicedWindow) => boolean): number {
    let count = 0
    for (const window of this.#windows.values()) if (which(window)) count++
    return count
  }

  #isClosed(id: number): boolean {
    const window = this.#windows.get(id)
    if (window) return window.closed
    if (id <= this.#passed) return true
    // The base view, and views of the same windows: what it misses, they miss.
    return this.#parts.closing.kind === 'own' && this.#parts.horizon.isClosed(this.#slicing.endOf(id))
  }

  #liveSlice(time: number, event: EventInHand): LiveSlice {
    const slice = this.#slicing.sliceOf(time)
    let live = this.#slices.get(slice.start)
    if (!live) {
      live = { slice, ids: this.#slicing.idsOf(slice), windows: [], missed: null, holder: 0, seen: -1 }
      this.#slices.set(slice.start, live)
    }
    if (live.seen !== this.#closings) this.#look(live, event)
    return live
  }

  /** Opens what can be opened, and sorts out what is closed. */
  #look(live: LiveSlice, event: EventInHand): void {
    const closed = live.ids.filter((id) => this.#isClosed(id))
    const ids = closed.length === 0 ? live.ids : live.ids.filter((id) => !closed.includes(id))
    live.windows = ids.map((id) => this.#windows.get(id) ?? this.#open(id, event))
    live.missed = this.isBase ? this.#missedOf(closed) : null
    live.holder = this.#closesLast(live.windows)
    live.seen = this.#closings
  }

  #missedOf(closed: readonly number[]): Missed | null {
    const [first] = closed
    const last = closed.at(-1)
    if (first === undefined || last === undefined) return null
    return {
      windows: closed.length,
      firstStart: this.#slicing.startOf(first),
      lastEnd: this.#slicing.endOf(last),
    }
  }

  #closesLast(windows: readonly SlicedWindow[]): number {
    let latest: SlicedWindow | null = null
    for (const window of windows) if (!latest || window.closesAt >= latest.closesAt) latest = window
    return latest?.ordinal ?? 0
  }

  #open(id: number, event: EventInHand): SlicedWindow {
    const { nextOrdinal, horizon } = this.#parts
    const of = { view: this.spec.id, version: this.spec.version }
    const [start, end] = [this.#slicing.startOf(id), this.#slicing.endOf(id)]
    const birth = { of, start, end, windowId: id, ordinal: nextOrdinal(), lateness: horizon.lateness }
    const window = new SlicedWindow(birth, this.#differences)
    if (!this.#byJournal && event.watermark >= end - 1) {
      window.fired = true
      window.leftOut = event.leftOut()
    } else this.#toFire.push(window, end - 1)
    this.#hold(window)
    return window
  }

  #hold(window: SlicedWindow): void {
    this.#windows.set(window.windowId, window)
    let i = this.#order.length
    while (i > 0 && (this.#order[i - 1] ?? 0) > window.windowId) i--
    this.#order.splice(i, 0, window.windowId)
    if (!window.closed) this.#toClose.add(window)
  }
}

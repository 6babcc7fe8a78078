import { type Instant, MAX_INSTANT, MIN_INSTANT } from '../../contracts/instant'
import type { ViewSpec } from '../../contracts/viewSpec'
import type { BatchKeys, KeysByGrouping } from '../aggregate/batchKeys'
import type { Emitter, Moment } from '../emitter'
import type { TouchedRows } from '../row'
import { restoreKeyedWindow, saveKeyedWindow } from '../snapshot/keyedWindow'
import type { SegmentReader, SegmentWriter } from '../snapshot/segment'
import { type Assigner, assignerOf } from './assigner'
import { Closing, type ClosingRule } from './closing'
import { DueQueue } from './dueQueue'
import { fireAgain } from './fireAgain'
import type { Horizon } from './horizon'
import { KeyedWindow } from './keyedWindow'
import {
  type BaseView,
  type Changed,
  type EventInHand,
  type LateWindow,
  type OthersWith,
  type Passing,
  type Place,
  type Scope,
  windowName,
} from './view'

export interface ViewParts {
  readonly horizon: Horizon
  readonly closing: ClosingRule
  /** Next number of a window within the pipeline. */
  readonly nextOrdinal: () => number
}

/** A view that cuts time into windows that do not overlap: tumbling or calendar, by event time or journal time. */
export class WindowedView implements BaseView {
  spec: ViewSpec
  readonly isBase: boolean
  readonly missed = null
  readonly #parts: ViewParts
  readonly #assign: Assigner
  readonly #byJournal: boolean
  readonly #windows = new Map<number, KeyedWindow>()
  readonly #toFire = new DueQueue<KeyedWindow>()
  readonly #toClose: Closing<KeyedWindow>
  #fired = 0
  #keys: BatchKeys | null = null
  /** The window looked at last: most events follow their neighbour. */
  #last: KeyedWindow | null = null
  /** The window that fired last: the next ones will hold about as much. */
  #like: KeyedWindow | null = null
  #holder = 0
  /** Row that `#add` counted in last. */
  #row = 0

  constructor(spec: ViewSpec, isBase: boolean, parts: ViewParts) {
    this.spec = spec
    this.isBase = isBase
    this.#parts = parts
    this.#assign = assignerOf(spec.window)
    this.#byJournal = spec.time === 'journal'
    this.#toClose = new Closing(parts.closing, parts.horizon, (window) => window.end - 1)
  }

  get openCount(): number {
    return this.#windows.size - this.#fired
  }

  get firedCount(): number {
    return this.#fired
  }

  get holder(): number {
    return this.#holder
  }

  beginBatch(keys: KeysByGrouping): void {
    this.#keys = keys.of(this.spec.groupBy)
    const { journalTime, eventTime } = this.#keys.batch
    // Most events of a batch belong to the window of the last one before.
    this.#last?.prefetch(this.#keys, this.#byJournal ? journalTime : eventTime)
  }

  lateFor(event: EventInHand): LateWindow | null {
    if (this.#find(event.eventTime)) return null
    const span = this.#assign(event.eventTime)
    return this.#parts.horizon.isClosed(span.end) ? span : null
  }

  count(event: EventInHand, emit: Emitter): boolean {
    const window = this.#add(event)
    const row = this.#row
    if (event.overflow && window.keys.isOther(row)) emit.overflowed.add(this.spec.id)
    emit.touch(window, row)
    this.#holder = window.ordinal
    if (!window.fired) return false
    emit.correct(window, row, event.batch, event.row, event.watermark)
    return true
  }

  /** Adds an event to its window, and leaves the number of its row in `#row`. */
  #add(event: EventInHand): KeyedWindow {
    const keys = this.#looked(event)
    const time = this.#timeOf(event)
    const window = this.#find(time) ?? this.#open(time, event)
    const row = window.rowFor(keys, event.row, this.spec.maxKeys)
    if (window.keys.isOther(row)) event.overflow = true
    const { cells } = window
    cells.addEvent(row)
    if (event.isOrder) {
      cells.addOrder(row, event.amountHi, event.amountLo)
      window.addOrderId(row, event.hashes, event.orderHash)
      if (event.userHash >= 0) window.addBuyer(row, event.hashes, event.userHash)
    } else cells.addRefund(row, event.amountHi, event.amountLo)
    this.#row = row
    return window
  }

  placesOf(eventTime: number, at: number, now: Moment): Place[] {
    const { start, end } = this.#assign(this.#byJournal ? at : eventTime)
    const held = this.#windows.get(start) ?? null
    return [{ windowId: start, start, end, held, closed: !held && this.#toClose.isPast(start, end, now) }]
  }

  recount(event: EventInHand, now: Moment): Changed[] {
    if (this.placesOf(event.eventTime, event.at, now)[0]?.closed) return []
    const window = this.#add(event)
    return [{ window, ordinal: this.#row }]
  }

  scopeOf(event: EventInHand): Scope | null {
    const keys = this.#looked(event)
    const window = this.#find(this.#timeOf(event))
    const ordinal = window?.keys.counting(keys, event.row) ?? -1
    return window && ordinal >= 0 ? scopeIn(window, ordinal) : null
  }

  takeOut(event: EventInHand, others: OthersWith): Changed[] {
    const keys = this.#looked(event)
    const window = this.#find(this.#timeOf(event))
    if (!window) return []
    const ordinal = window.keys.counting(keys, event.row)
    if (ordinal < 0) throw new RangeError(`view ${this.spec.id} holds no row of a counted event`)
    if (window.keys.isOther(ordinal)) event.overflow = true
    window.cells.takeOut(ordinal, event.isOrder, event.amountHi, event.amountLo)
    if (!event.isOrder) return [{ window, ordinal }]
    const scope = scopeIn(window, ordinal)
    if (others(scope, 'orders') === 0) window.dropOrderId(ordinal, event.hashes, event.orderHash)
    if (event.userHash >= 0 && others(scope, 'buyers') === 0)
      window.dropBuyer(ordinal, event.hashes, event.userHash)
    return [{ window, ordinal }]
  }

  #looked(event: EventInHand): BatchKeys {
    const keys = this.#keys
    if (keys === null) throw new RangeError('no batch')
    keys.look(event.row)
    return keys
  }

  #timeOf(event: EventInHand): number {
    return this.#byJournal ? event.at : event.eventTime
  }

  fireDue(passing: Passing, emit: Emitter): void {
    const now = this.#byJournal ? passing.at - 1 : passing.watermark
    for (let window = this.#toFire.popDue(now); window; window = this.#toFire.popDue(now)) {
      if (window.fired) fireAgain(window, passing, emit)
      else this.#fire(window, passing, emit)
    }
  }

  #fire(window: KeyedWindow, passing: Passing, emit: Emitter): void {
    window.fired = true
    window.leftOut = passing.leftOut
    this.#fired++
    this.#like = window
    emit.fire(window, 'on-time', passing)
  }

  closeDue(passing: Passing, emit: Emitter, released: (ordinal: number) => void): void {
    const now = this.#byJournal ? passing.at - 1 : passing.watermark
    for (const window of this.#toClose.take(now)) {
      this.#windows.delete(window.start)
      this.#fired--
      if (this.#last === window) this.#last = null
      if (this.isBase) this.#parts.horizon.pass(window.end)
      emit.close(window)
      released(window.ordinal)
    }
  }

  fireAll(passing: Passing, emit: Emitter): void {
    if (this.#byJournal) return
    const open = [...this.#windows.values()].filter((window) => !window.fired)
    for (const window of open.sort((a, b) => a.end - b.end)) {
      window.fired = true
      window.byInactivity = true
      window.leftOut = passing.leftOut
      this.#fired++
      emit.fire(window, 'inactivity', passing)
    }
  }

  reschedule(): void {
    this.#toClose.clear()
    for (const window of this.#windows.values()) this.#toClose.add(window)
  }

  closesLatest(from: number, to: number): Instant {
    let latest = MIN_INSTANT
    for (let span = this.#assign(from); span.start <= to; span = this.#assign(span.end)) {
      const window = this.#windows.get(span.start)
      if (window && window.closesAt > latest) latest = window.closesAt
    }
    return latest
  }

  firstStart(): Instant {
    let first = MAX_INSTANT
    for (const start of this.#windows.keys()) if (start < first) first = start
    return first
  }

  *liveRows(): Iterable<TouchedRows> {
    for (const window of this.#windows.values()) yield { group: window, ordinals: everyRow(window) }
  }

  windows(): Iterable<KeyedWindow> {
    return this.#windows.values()
  }

  size(): { distinct: number; rows: number; keys: number } {
    const size = { distinct: 0, rows: 0, keys: 0 }
    for (const window of this.#windows.values()) {
      size.distinct += window.distinct.bytes
      size.rows += window.cells.bytes
      size.keys += window.keys.bytes
    }
    return size
  }

  save(out: SegmentWriter): void {
    out.number(this.#windows.size)
    for (const window of this.#windows.values()) saveKeyedWindow(window, out)
  }

  restore(from: SegmentReader): void {
    const of = { view: this.spec.id, version: this.spec.version }
    const count = from.number()
    for (let i = 0; i < count; i++) this.#adopt(restoreKeyedWindow(of, from))
  }

  #adopt(window: KeyedWindow): void {
    this.#windows.set(window.start, window)
    if (window.fired) this.#fired++
    if (!window.fired || window.byInactivity) this.#toFire.push(window, window.end - 1)
    this.#toClose.add(window)
  }

  #find(time: number): KeyedWindow | null {
    const last = this.#last
    if (last !== null && last.start <= time && time < last.end) return last
    const window = this.#windows.get(this.#assign(time).start) ?? null
    if (window) this.#last = window
    return window
  }

  /** Opens the window of a time; one whose end the watermark has passed is born fired. */
  #open(time: number, event: EventInHand): KeyedWindow {
    const { start, end } = this.#assign(time)
    const { nextOrdinal, horizon } = this.#parts
    const of = { view: this.spec.id, version: this.spec.version }
    const ordinal = nextOrdinal()
    const birth = { of, start, end, windowId: start, ordinal, lateness: horizon.lateness }
    const window = new KeyedWindow(birth, this.#like)
    this.#windows.set(start, window)
    this.#last = window
    if (!this.#byJournal && event.watermark >= end - 1) {
      window.fired = true
      window.leftOut = event.leftOut()
      this.#fired++
    } else this.#toFire.push(window, end - 1)
    this.#toClose.add(window)
    return window
  }
}

function scopeIn(window: KeyedWindow, ordinal: number): Scope {
  return {
    name: windowName(window.of.view, window.windowId),
    from: window.start,
    to: window.end,
    key: window.keyOf(ordinal).text,
    isOther: window.keys.isOther(ordinal),
    isOwn: (keys) => window.keys.known(keys) >= 0,
  }
}

export function everyRow(window: KeyedWindow): number[] {
  return Array.from({ length: window.cells.count }, (_, i) => i)
}

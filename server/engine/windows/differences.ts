import { normalize } from '../../contracts/money'
import type { MeasureValues } from '../row'

/** Sums of one key, in the order of `Delta`. */
const WIDTH = 7
const GROSS_HI = 0
const GROSS_LO = 1
const REFUNDS_HI = 2
const REFUNDS_LO = 3
const EVENTS = 4
const ORDERS = 5
const BUYERS = 6

/** What is added to a stretch of windows: one event, or one id that they had not seen. */
export interface Delta {
  readonly grossHi?: number
  readonly grossLo?: number
  readonly refundsHi?: number
  readonly refundsLo?: number
  readonly events?: number
  readonly orders?: number
  readonly buyers?: number
}

type Sums = number[]

/**
 * The values of overlapping windows, kept as differences along the line of their ids: an event adds to the first
 * window that it belongs to and takes away behind the last one, so it costs the same for two windows and for 1,440.
 * A window's values are the sum of all differences up to its id. Those that no window will ask for singly any more
 * are added up in `#carry`.
 */
export class Differences {
  /** Ids at which something changes, ascending, and what changes there, by key. */
  #ids: number[] = []
  #at = new Map<number, Map<number, Sums>>()
  #carry = new Map<number, Sums>()
  /** Everything up to here is in `#carry`. */
  #passed = Number.NEGATIVE_INFINITY

  /** Adds `delta` to the values of key `key` in the windows from `first` to `last`, of those not passed. */
  add(key: number, first: number, last: number, delta: Delta): void {
    if (last < first || last < this.#passed) return
    if (first <= this.#passed) addTo(sumsOf(this.#carry, key), delta, 1)
    else addTo(sumsOf(this.#point(first), key), delta, 1)
    addTo(sumsOf(this.#point(last + 1), key), delta, -1)
  }

  /** Values of a key in the window `id`; `id` must not be passed. */
  valuesOf(key: number, id: number): MeasureValues {
    const sums = [...(this.#carry.get(key) ?? nothing())]
    for (const point of this.#ids) {
      if (point > id) break
      const change = this.#at.get(point)?.get(key)
      if (change) for (let i = 0; i < WIDTH; i++) sums[i] = (sums[i] ?? 0) + (change[i] ?? 0)
    }
    return toValues(sums)
  }

  /** Keys that have a part in a window at or after `#passed`, in no particular order. */
  keys(): Set<number> {
    const keys = new Set(this.#carry.keys())
    for (const changes of this.#at.values()) for (const key of changes.keys()) keys.add(key)
    return keys
  }

  /** No window with an id up to `id` will be asked for again. `gone` hears of keys that have a part in none any more. */
  pass(id: number, gone: (key: number) => void): void {
    const changed = new Set<number>()
    // The changes right behind the last window belong to it: it is what they take away.
    while (this.#ids.length > 0 && (this.#ids[0] ?? 0) <= id + 1) {
      const point = this.#ids.shift() ?? 0
      for (const [key, change] of this.#at.get(point) ?? []) {
        changed.add(key)
        const sums = sumsOf(this.#carry, key)
        for (let i = 0; i < WIDTH; i++) sums[i] = (sums[i] ?? 0) + (change[i] ?? 0)
      }
      this.#at.delete(point)
    }
    if (id + 1 > this.#passed) this.#passed = id + 1
    for (const key of changed) this.#dropIfGone(key, gone)
  }

  #dropIfGone(key: number, gone: (key: number) => void): void {
    if (this.#carry.get(key)?.[EVENTS] !== 0 || this.#hasChanges(key)) return
    this.#carry.delete(key)
    gone(key)
  }

  #hasChanges(key: number): boolean {
    for (const changes of this.#at.values()) if (changes.has(key)) return true
    return false
  }

  #point(id: number): Map<number, Sums> {
    const known = this.#at.get(id)
    if (known) return known
    let i = this.#ids.length
    while (i > 0 && (this.#ids[i - 1] ?? 0) > id) i--
    this.#ids.splice(i, 0, id)
    const changes = new Map<number, Sums>()
    this.#at.set(id, changes)
    return changes
  }

  get bytes(): number {
    let entries = this.#carry.size
    for (const changes of this.#at.values()) entries += changes.size
    return entries * ENTRY_BYTES
  }

  /** All of it as rows of numbers: id, key, sums; the carry has id −Infinity. For a snapshot. */
  save(): { passed: number; rows: Float64Array } {
    const rows: number[] = []
    for (const [key, sums] of this.#carry) rows.push(Number.NEGATIVE_INFINITY, key, ...sums)
    for (const id of this.#ids) {
      for (const [key, sums] of this.#at.get(id) ?? []) rows.push(id, key, ...sums)
    }
    return { passed: this.#passed, rows: Float64Array.from(rows) }
  }

  static restore({ passed, rows }: ReturnType<Differences['save']>): Differences {
    const line = new Differences()
    line.#passed = passed
    for (let at = 0; at < rows.length; at += WIDTH + 2) {
      const id = rows[at] ?? 0
      const to = id === Number.NEGATIVE_INFINITY ? line.#carry : line.#point(id)
      to.set(rows[at + 1] ?? 0, [...rows.subarray(at + 2, at + 2 + WIDTH)])
    }
    return line
  }
}

/** A map entry with its array of seven numbers, about. */
const ENTRY_BYTES = 120

function nothing(): Sums {
  return [0, 0, 0, 0, 0, 0, 0]
}

function sumsOf(of: Map<number, Sums>, key: number): Sums {
  const known = of.get(key)
  if (known) return known
  const sums = nothing()
  of.set(key, sums)
  return sums
}

function addTo(sums: Sums, delta: Delta, sign: 1 | -1): void {
  const add = (i: number, value: number | undefined) => {
    if (value !== undefined) sums[i] = (sums[i] ?? 0) + sign * value
  }
  add(GROSS_HI, delta.grossHi)
  add(GROSS_LO, delta.grossLo)
  add(REFUNDS_HI, delta.refundsHi)
  add(REFUNDS_LO, delta.refundsLo)
  add(EVENTS, delta.events)
  add(ORDERS, delta.orders)
  add(BUYERS, delta.buyers)
}

function toValues(sums: Sums): MeasureValues {
  return {
    gross: normalize(sums[GROSS_HI] ?? 0, sums[GROSS_LO] ?? 0),
    refunds: normalize(sums[REFUNDS_HI] ?? 0, sums[REFUNDS_LO] ?? 0),
    orders: sums[ORDERS] ?? 0,
    buyers: sums[BUYERS] ?? 0,
    events: sums[EVENTS] ?? 0,
  }
}

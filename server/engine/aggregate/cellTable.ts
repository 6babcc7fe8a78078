import { LIMB, normalize } from '../../contracts/money'
import type { MeasureValues } from '../row'
import { slotsFor } from './slotsFor'

/** A low limb is carried over before it could pass 2^53. */
const CARRY_AT = 2 ** 52

/** Numbers of a row, side by side so that one event touches one or two cache lines. */
const WIDTH = 10
const GROSS_HI = 0
const GROSS_LO = 1
const REFUNDS_HI = 2
const REFUNDS_LO = 3
const EVENTS = 4
const ORDERS = 5
const BUYERS = 6
const REVISION = 7
/** Position of the record that touched it last: lists each row once a record. */
const TOUCHED = 8
const FIRED_AT = 9
/** The first so many are the measures; of these the last published values are kept as well. */
export const MEASURES = 7

/**
 * The running totals of a window's rows as one block of numbers: a hundred thousand keys a window are one array
 * instead of as many objects, which the garbage collector would have to visit (limits.md). Row `i` is the i-th key.
 */
export class CellTable {
  #cells: Float64Array
  /** Values as last published, allocated when the window fires; most windows are open. */
  #published: Float64Array | null = null
  #count = 0

  /** `expected`: rows that there is room for from the start. */
  constructor(expected = 0) {
    this.#cells = new Float64Array(WIDTH * slotsFor(expected, 1))
  }

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    return this.#cells.byteLength + (this.#published?.byteLength ?? 0)
  }

  /** A new row of zeros; returns its number. */
  add(): number {
    const i = this.#count++
    if (this.#count * WIDTH > this.#cells.length) {
      this.#cells = grown(this.#cells, this.#cells.length * 2)
      if (this.#published) this.#published = grown(this.#published, (this.#cells.length / WIDTH) * MEASURES)
    }
    return i
  }

  addOrder(i: number, hi: number, lo: number): void {
    this.#addMoney(i * WIDTH + GROSS_HI, hi, lo)
  }

  addRefund(i: number, hi: number, lo: number): void {
    this.#addMoney(i * WIDTH + REFUNDS_HI, hi, lo)
  }

  #addMoney(at: number, hi: number, lo: number): void {
    const cells = this.#cells
    const low = (cells[at + 1] ?? 0) + lo
    cells[at] = (cells[at] ?? 0) + hi
    cells[at + 1] = low
    if (low < CARRY_AT) return
    const carry = Math.floor(low / LIMB)
    cells[at] = (cells[at] ?? 0) + carry
    cells[at + 1] = low - carry * LIMB
  }

  addEvent(i: number): void {
    this.#bump(i * WIDTH + EVENTS, 1)
  }

  addOrderId(i: number): void {
    this.#bump(i * WIDTH + ORDERS, 1)
  }

  addBuyer(i: number): void {
    this.#bump(i * WIDTH + BUYERS, 1)
  }

  #bump(at: number, by: 1 | -1): void {
    this.#cells[at] = (this.#cells[at] ?? 0) + by
  }

  /** Takes an event and its amount out again; the limbs may be negative in between, their sum is not. */
  takeOut(i: number, isOrder: boolean, hi: number, lo: number): void {
    this.#bump(i * WIDTH + EVENTS, -1)
    this.#addMoney(i * WIDTH + (isOrder ? GROSS_HI : REFUNDS_HI), -hi, -lo)
  }

  dropOrderId(i: number): void {
    this.#bump(i * WIDTH + ORDERS, -1)
  }

  dropBuyer(i: number): void {
    this.#bump(i * WIDTH + BUYERS, -1)
  }

  /** A new row that stands as a published one did; returns its number. */
  adopt(revision: number, firedAt: number, values: MeasureValues): number {
    const i = this.add()
    this.setValues(i, values)
    this.#cells[i * WIDTH + REVISION] = revision
    this.#cells[i * WIDTH + FIRED_AT] = firedAt
    this.#published ??= new Float64Array((this.#cells.length / WIDTH) * MEASURES)
    writeValues(this.#published, i * MEASURES, values)
    return i
  }

  /** True the first time that a record asks for a row. */
  touch(i: number, position: number): boolean {
    const at = i * WIDTH + TOUCHED
    if (this.#cells[at] === position) return false
    this.#cells[at] = position
    return true
  }

  values(i: number): MeasureValues {
    return valuesAt(this.#cells, i * WIDTH)
  }

  /** Replaces a row's values; for rows whose values are worked out elsewhere (slices, merged sessions). */
  setValues(i: number, values: MeasureValues): void {
    writeValues(this.#cells, i * WIDTH, values)
  }

  revision(i: number): number {
    return this.#cells[i * WIDTH + REVISION] ?? 0
  }

  /** Journal time of the first publication, ms; null before. */
  firedAt(i: number): number | null {
    return this.revision(i) === 0 ? null : (this.#cells[i * WIDTH + FIRED_AT] ?? 0)
  }

  published(i: number): MeasureValues | null {
    return this.#published && this.revision(i) > 0 ? valuesAt(this.#published, i * MEASURES) : null
  }

  /**
   * The row's values are published at journal time `at`; the published ones until now and these are copied to
   * `to[before …)` and `to[after …)`, `MEASURES` numbers each. Returns the revision.
   */
  publish(i: number, at: number, to: Float64Array, before: number, after: number): number {
    const cells = this.#cells
    this.#published ??= new Float64Array((cells.length / WIDTH) * MEASURES)
    const published = this.#published
    for (let k = 0; k < MEASURES; k++) {
      const value = cells[i * WIDTH + k] ?? 0
      to[before + k] = published[i * MEASURES + k] ?? 0
      to[after + k] = value
      published[i * MEASURES + k] = value
    }
    const revision = (cells[i * WIDTH + REVISION] ?? 0) + 1
    cells[i * WIDTH + REVISION] = revision
    if (revision === 1) cells[i * WIDTH + FIRED_AT] = at
    return revision
  }

  /** Events that a row counts. */
  events(i: number): number {
    return this.#cells[i * WIDTH + EVENTS] ?? 0
  }

  save(): { count: number; cells: Float64Array; published: Float64Array | null } {
    return { count: this.#count, cells: this.#cells, published: this.#published }
  }

  static restore({ count, cells, published }: ReturnType<CellTable['save']>): CellTable {
    const table = new CellTable()
    table.#count = count
    table.#cells = cells
    table.#published = published
    return table
  }
}

function grown(old: Float64Array, length: number): Float64Array {
  const array = new Float64Array(length)
  array.set(old)
  return array
}

/** Values out of a block of numbers that begins at `at`. */
export function valuesAt(from: Float64Array, at: number): MeasureValues {
  return {
    gross: normalize(from[at + GROSS_HI] ?? 0, from[at + GROSS_LO] ?? 0),
    refunds: normalize(from[at + REFUNDS_HI] ?? 0, from[at + REFUNDS_LO] ?? 0),
    orders: from[at + ORDERS] ?? 0,
    buyers: from[at + BUYERS] ?? 0,
    events: from[at + EVENTS] ?? 0,
  }
}

function writeValues(to: Float64Array, at: number, values: MeasureValues): void {
  to[at + GROSS_HI] = values.gross.hi
  to[at + GROSS_LO] = values.gross.lo
  to[at + REFUNDS_HI] = values.refunds.hi
  to[at + REFUNDS_LO] = values.refunds.lo
  to[at + EVENTS] = values.events
  to[at + ORDERS] = values.orders
  to[at + BUYERS] = values.buyers
}

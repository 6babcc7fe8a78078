import { Sketch } from '../../contracts/sketch'
import type { BatchKeys } from '../aggregate/batchKeys'
import { CellTable } from '../aggregate/cellTable'
import { KeyTable } from '../aggregate/keyTable'
import { PairSet } from '../aggregate/pairSet'
import type { Row, RowKeyParts } from '../row'
import { type WindowBirth, WindowState } from './windowState'

/** Salts of a row's distinct ids: two a row. */
export const ORDERS = 0
export const BUYERS = 1

/**
 * Rows a window has at most for them to carry sketches. A view of more keys than this is one by user or the like: its
 * sketches would take more than its rows, and distincts over a span are asked of a coarser view.
 */
export const MOST_SKETCHED = 4_096

interface RowSketches {
  readonly orders: Sketch
  readonly buyers: Sketch
}

/** A window that holds its own keys, totals and distinct ids: tumbling, calendar. */
export class KeyedWindow extends WindowState {
  keys: KeyTable
  distinct: PairSet
  /** Sketches by row, from when one was first asked for: made in one pass over the ids, then kept up with. */
  sketches: RowSketches[] | null = null
  /** What was read for the cache's sake; kept, so that no compiler leaves the reading out. */
  prefetched = 0

  /** `like`: a window of the same view, from which it is guessed how much room this one needs. */
  constructor(birth: WindowBirth, like: KeyedWindow | null = null) {
    super(birth)
    this.keys = new KeyTable(like?.keys.count)
    this.cells = new CellTable(like?.cells.count)
    this.distinct = new PairSet(like?.distinct.size)
  }

  override keyOf(ordinal: number): RowKeyParts {
    return this.keys.partsOf(ordinal)
  }

  /** Number of the row that counts the event `row`, whose key `keys` looked at; a new one when it is the first. */
  rowFor(keys: BatchKeys, row: number, maxKeys: number): number {
    const ordinal = this.keys.numberOf(keys, row, maxKeys)
    if (ordinal === this.cells.count) {
      this.cells.add()
      this.sketches?.push(noSketches())
    }
    return ordinal
  }

  /**
   * Reads where the distinct ids of the batch's events in this window will be looked for. One after the other they
   * would each wait for memory; together they wait about once (limits.md).
   */
  prefetch(keys: BatchKeys, times: Float64Array): void {
    const { batch, hashes } = keys
    const { orderId, userId, count } = batch
    let read = 0
    for (let row = 0; row < count; row++) {
      const time = times[row] ?? 0
      if (time < this.start || time >= this.end) continue
      keys.look(row)
      const ordinal = this.keys.known(keys)
      if (ordinal < 0) continue
      read ^= this.distinct.prefetch(ordinal * 2 + ORDERS, hashes[(orderId[row] ?? 0) * 4] ?? 0)
      const user = userId[row] ?? 0
      if (user !== 0) read ^= this.distinct.prefetch(ordinal * 2 + BUYERS, hashes[user * 4] ?? 0)
    }
    this.prefetched = read
  }

  /** An order's id in row `ordinal`; `at` is the place of its hash. */
  addOrderId(ordinal: number, hashes: Int32Array, at: number): void {
    if (!this.distinct.add(ordinal * 2 + ORDERS, hashes, at)) return
    this.cells.addOrderId(ordinal)
    this.sketches?.[ordinal]?.orders.add(hashes[at] ?? 0, hashes[at + 1] ?? 0)
  }

  addBuyer(ordinal: number, hashes: Int32Array, at: number): void {
    if (!this.distinct.add(ordinal * 2 + BUYERS, hashes, at)) return
    this.cells.addBuyer(ordinal)
    this.sketches?.[ordinal]?.buyers.add(hashes[at] ?? 0, hashes[at + 1] ?? 0)
  }

  /** No other counted event of the row has the order. Sketches cannot forget: they are made anew when asked for. */
  dropOrderId(ordinal: number, hashes: Int32Array, at: number): void {
    if (!this.distinct.delete(ordinal * 2 + ORDERS, hashes, at)) return
    this.cells.dropOrderId(ordinal)
    this.sketches = null
  }

  dropBuyer(ordinal: number, hashes: Int32Array, at: number): void {
    if (!this.distinct.delete(ordinal * 2 + BUYERS, hashes, at)) return
    this.cells.dropBuyer(ordinal)
    this.sketches = null
  }

  protected override sketchesOf(ordinal: number): Row['sketches'] {
    if (this.cells.count > MOST_SKETCHED) return null
    this.sketches ??= this.#buildSketches()
    const row = this.sketches[ordinal]
    return row ? { orders: row.orders.encode(), buyers: row.buyers.encode() } : null
  }

  #buildSketches(): RowSketches[] {
    const rows = Array.from({ length: this.cells.count }, noSketches)
    this.distinct.forEach((salt, a, b) => {
      const row = rows[salt >>> 1]
      if (row) (salt % 2 === ORDERS ? row.orders : row.buyers).add(a, b)
    })
    return rows
  }
}

function noSketches(): RowSketches {
  return { orders: new Sketch(), buyers: new Sketch() }
}

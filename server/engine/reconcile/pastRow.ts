import { Sketch } from '../../contracts/sketch'
import type { MeasureValues } from '../row'
import { IdCounts } from './idCounts'

/** A row as it was last published before the command. */
export interface StoredRow {
  readonly revision: number
  /** Journal time of its first publication, ms. */
  readonly firedAt: number
  readonly values: MeasureValues
}

/**
 * What the counted events of one row say about those of a command: how many of them have an order or buyer that the
 * command's events have, too. Of a closed window that carries sketches, also the sketches of all its ids but those of
 * events that the command voids.
 */
export class PastRow {
  readonly orders = new IdCounts()
  readonly buyers = new IdCounts()
  readonly sketches: { readonly orders: Sketch; readonly buyers: Sketch } | null

  constructor(sketched: boolean) {
    this.sketches = sketched ? { orders: new Sketch(), buyers: new Sketch() } : null
  }

  /** An `order` event of the row; `user` is -1 without one, `voided` when the command takes it out. */
  see(hashes: Int32Array, order: number, user: number, voided: boolean): void {
    this.orders.add(hashes, order, 1)
    if (user >= 0) this.buyers.add(hashes, user, 1)
    if (!this.sketches || voided) return
    this.sketches.orders.add(hashes[order] ?? 0, hashes[order + 1] ?? 0)
    if (user >= 0) this.sketches.buyers.add(hashes[user] ?? 0, hashes[user + 1] ?? 0)
  }
}

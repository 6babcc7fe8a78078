import { PairSet } from '../aggregate/pairSet'
import type { Row, RowKeyParts } from '../row'
import { BUYERS, ORDERS } from './keyedWindow'
import { type WindowBirth, WindowState } from './windowState'

/** A key's session: a window of one row that grows while it is open and may be swallowed by another. */
export class Session extends WindowState {
  readonly key: RowKeyParts
  readonly keyId: number
  /** It took in another session: its row is written together with that one's retraction. */
  replaces = false
  distinct = new PairSet()
  /** Ordinals of the sessions that it took in: ids are kept under them. */
  holders: number[]
  /** The largest L of the sessions that it came from, ms. */
  longestLateness: number

  constructor(birth: WindowBirth, key: RowKeyParts, keyId: number) {
    super(birth)
    this.key = key
    this.keyId = keyId
    this.holders = [birth.ordinal]
    this.longestLateness = birth.lateness
    this.cells.add()
  }

  override get closesAt(): number {
    return this.end - 1 + this.longestLateness
  }

  override isPublished(): boolean {
    return this.fired || this.superseded || this.replaces
  }

  override keyOf(): RowKeyParts {
    return this.key
  }

  /** A span is not made up of sessions, so they carry no sketches. */
  protected override sketchesOf(): Row['sketches'] {
    return null
  }

  addOrderId(hashes: Int32Array, at: number): void {
    if (this.distinct.add(ORDERS, hashes, at)) this.cells.addOrderId(0)
  }

  addBuyer(hashes: Int32Array, at: number): void {
    if (this.distinct.add(BUYERS, hashes, at)) this.cells.addBuyer(0)
  }

  /** Takes in everything that another session of its key counted. */
  takeIn(other: Session): void {
    const mine = this.valuesOf(0)
    const theirs = other.valuesOf(0)
    const added = [0, 0]
    this.distinct.addAll(other.distinct, (salt) => {
      added[salt] = (added[salt] ?? 0) + 1
    })
    this.cells.setValues(0, {
      gross: { hi: mine.gross.hi + theirs.gross.hi, lo: mine.gross.lo + theirs.gross.lo },
      refunds: { hi: mine.refunds.hi + theirs.refunds.hi, lo: mine.refunds.lo + theirs.refunds.lo },
      orders: mine.orders + (added[ORDERS] ?? 0),
      buyers: mine.buyers + (added[BUYERS] ?? 0),
      events: mine.events + theirs.events,
    })
    this.holders.push(...other.holders)
    this.longestLateness = Math.max(this.longestLateness, other.longestLateness)
  }
}

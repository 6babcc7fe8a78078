import type { Row, RowKeyParts } from '../row'
import type { EventInHand } from '../windows/view'
import { windowName } from '../windows/view'
import { WindowState } from '../windows/windowState'
import { type Hydration, pastName, type StoredWindow, type Touch } from './hydration'
import type { PastRow } from './pastRow'

/** The rows of a closed window that a command changes: as last published, then changed event by event. */
export class ClosedRows extends WindowState {
  readonly #stored: StoredWindow | undefined
  readonly #hydration: Hydration
  readonly #byKey = new Map<string, number>()
  readonly #keys: RowKeyParts[] = []
  readonly #past: PastRow[] = []

  constructor({ view, windowId, start, end }: Touch, hydration: Hydration) {
    const of = { view: view.spec.id, version: view.spec.version }
    super({ of, start, end, windowId, ordinal: 0, lateness: 0 })
    this.#stored = hydration.stored.get(windowName(of.view, windowId))
    this.#hydration = hydration
    this.fired = true
    this.closed = true
    this.byInactivity = this.#stored?.byInactivity ?? false
    this.leftOut = this.#stored?.leftOut ?? []
  }

  override keyOf(ordinal: number): RowKeyParts {
    const key = this.#keys[ordinal]
    if (!key) throw new RangeError(`no row ${ordinal}`)
    return key
  }

  protected override sketchesOf(ordinal: number): Row['sketches'] {
    const sketches = this.#past[ordinal]?.sketches
    return sketches ? { orders: sketches.orders.encode(), buyers: sketches.buyers.encode() } : null
  }

  /** Number of the row with this key. One that was never published begins at nothing. */
  rowOf(key: RowKeyParts): number {
    const { text } = key
    const known = this.#byKey.get(text)
    if (known !== undefined) return known
    const past = this.#hydration.past.get(pastName(windowName(this.of.view, this.windowId), text))
    if (!past) throw new RangeError(`window ${this.of.view}@${this.windowId} was not looked up for ${text}`)
    const stored = this.#stored?.rows.get(text)
    const ordinal = stored
      ? this.cells.adopt(stored.revision, stored.firedAt, stored.values)
      : this.cells.add()
    this.#byKey.set(text, ordinal)
    this.#keys.push(key)
    this.#past.push(past)
    return ordinal
  }

  /** Counts a re-injected event. */
  add(ordinal: number, event: EventInHand): void {
    const { cells } = this
    cells.addEvent(ordinal)
    if (!event.isOrder) {
      cells.addRefund(ordinal, event.amountHi, event.amountLo)
      return
    }
    cells.addOrder(ordinal, event.amountHi, event.amountLo)
    const { hashes, orderHash, userHash } = event
    const past = this.#past[ordinal]
    if (past?.orders.add(hashes, orderHash, 1) === 1) {
      cells.addOrderId(ordinal)
      past.sketches?.orders.add(hashes[orderHash] ?? 0, hashes[orderHash + 1] ?? 0)
    }
    if (userHash < 0 || past?.buyers.add(hashes, userHash, 1) !== 1) return
    cells.addBuyer(ordinal)
    past.sketches?.buyers.add(hashes[userHash] ?? 0, hashes[userHash + 1] ?? 0)
  }

  /** Takes a counted event out. Its ids stand in no sketch: those were made without it. */
  takeOut(ordinal: number, event: EventInHand): void {
    const { cells } = this
    const { hashes, orderHash, userHash } = event
    cells.takeOut(ordinal, event.isOrder, event.amountHi, event.amountLo)
    if (!event.isOrder) return
    const past = this.#past[ordinal]
    if (past?.orders.add(hashes, orderHash, -1) === 0) cells.dropOrderId(ordinal)
    if (userHash >= 0 && past?.buyers.add(hashes, userHash, -1) === 0) cells.dropBuyer(ordinal)
  }
}

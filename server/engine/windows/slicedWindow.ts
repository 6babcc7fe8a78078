import type { MeasureValues, Row, RowKeyParts } from '../row'
import type { Differences } from './differences'
import type { LiveKey } from './liveKeys'
import { type WindowBirth, WindowState } from './windowState'

/**
 * A window of slices. Its values stand in the view's differences until it closes; its rows hold what was published.
 * A row exists once it is shown. No sketches: these windows overlap, so no span is made up of them.
 */
export class SlicedWindow extends WindowState {
  readonly #values: Differences
  readonly keys: LiveKey[] = []
  readonly #rows = new Map<number, number>()

  constructor(birth: WindowBirth, values: Differences) {
    super(birth)
    this.#values = values
  }

  /** The row of a key, made when there is none. */
  rowOf(key: LiveKey): number {
    const known = this.#rows.get(key.id)
    if (known !== undefined) return known
    const row = this.cells.add()
    this.keys.push(key)
    this.#rows.set(key.id, row)
    return row
  }

  hasRow(key: LiveKey): boolean {
    return this.#rows.has(key.id)
  }

  /** Takes in a row of a snapshot: its numbers are restored by themselves. */
  adoptRow(key: LiveKey): void {
    this.#rows.set(key.id, this.keys.length)
    this.keys.push(key)
  }

  override keyOf(ordinal: number): RowKeyParts {
    return this.#keyAt(ordinal).parts
  }

  override valuesOf(ordinal: number): MeasureValues {
    if (this.closed) return this.cells.values(ordinal)
    return this.#values.valuesOf(this.#keyAt(ordinal).id, this.windowId)
  }

  protected override sketchesOf(): Row['sketches'] {
    return null
  }

  override settle(ordinal: number): void {
    if (!this.closed) this.cells.setValues(ordinal, this.valuesOf(ordinal))
  }

  /** Takes its values along: the differences forget it next. To be called before it is closed. */
  keepValues(): void {
    for (let i = 0; i < this.cells.count; i++) this.settle(i)
  }

  #keyAt(ordinal: number): LiveKey {
    const key = this.keys[ordinal]
    if (!key) throw new RangeError(`no row ${ordinal}`)
    return key
  }
}

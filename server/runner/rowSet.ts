import type { Row, RowGroup } from '../engine/row'

/** A set of rows: numbers by the group that they belong to. */
export class RowSet {
  readonly #groups = new Map<RowGroup, Set<number>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(group: RowGroup, ordinal: number): void {
    let ordinals = this.#groups.get(group)
    if (!ordinals) {
      ordinals = new Set()
      this.#groups.set(group, ordinals)
    }
    const before = ordinals.size
    this.#size += ordinals.add(ordinal).size - before
  }

  delete(group: RowGroup, ordinal: number): void {
    const ordinals = this.#groups.get(group)
    if (!ordinals?.delete(ordinal)) return
    this.#size--
    // A group is a window, which must not be kept after it closed by a set that is empty.
    if (ordinals.size === 0) this.#groups.delete(group)
  }

  clear(): void {
    this.#groups.clear()
    this.#size = 0
  }

  /** The rows as they stand. */
  *rows(): Iterable<Row> {
    for (const [group, ordinals] of this.#groups) for (const ordinal of ordinals) yield group.row(ordinal)
  }
}

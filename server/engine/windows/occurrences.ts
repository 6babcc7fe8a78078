/** Words of a slot: three of the id's hash, salt plus 1, first entry of its list. */
const WIDTH = 5
const LEAST_SLOTS = 64

/** Nearest slices in which an id was seen before and after one; null where there is none. */
export interface Neighbours {
  readonly before: number | null
  readonly after: number | null
}

/**
 * In which slices an id was seen under a salt (key and kind of id): so that a distinct count of overlapping windows
 * is exact. A list an id, latest slice first; most ids have a list of one. Lists end at slices that no window needs any more.
 */
export class Occurrences {
  #slots = new Int32Array(LEAST_SLOTS * WIDTH)
  #mask = LEAST_SLOTS - 1
  #used = 0
  /** Entries of the lists: the slice, and the entry after it plus 1 (0: none). Entry i is row i. */
  #slice: number[] = []
  #next: number[] = []
  #passed = Number.NEGATIVE_INFINITY
  /** Entries at which it is worth looking for dead ones. */
  #mostEntries = LEAST_SLOTS

  /** Notes that the id was seen in a slice. null: it had been seen there; otherwise its neighbours. */
  see(salt: number, hashes: Int32Array, at: number, slice: number): Neighbours | null {
    if (this.#used * 3 >= (this.#mask + 1) * 2 || this.#slice.length >= this.#mostEntries) this.#rebuild()
    const slot = this.#slotOf(salt, hashes[at] ?? 0, hashes[at + 1] ?? 0, hashes[at + 2] ?? 0)
    const i = slot * WIDTH + 4
    let after: number | null = null
    let previous = 0
    let entry = this.#slots[i] ?? 0
    while (entry !== 0 && (this.#slice[entry - 1] ?? 0) > slice) {
      after = this.#slice[entry - 1] ?? 0
      previous = entry
      entry = this.#next[entry - 1] ?? 0
    }
    const before = entry === 0 ? null : (this.#slice[entry - 1] ?? 0)
    if (before === slice) return null
    this.#slice.push(slice)
    // What is behind a passed slice is passed too.
    this.#next.push(before !== null && before < this.#passed ? 0 : entry)
    if (previous === 0) this.#slots[i] = this.#slice.length
    else this.#next[previous - 1] = this.#slice.length
    return { before, after }
  }

  /** The id is seen in a slice no more. null: it was not; otherwise its neighbours. */
  forget(salt: number, hashes: Int32Array, at: number, slice: number): Neighbours | null {
    const slot = this.#slotOf(salt, hashes[at] ?? 0, hashes[at + 1] ?? 0, hashes[at + 2] ?? 0)
    const i = slot * WIDTH + 4
    let after: number | null = null
    let previous = 0
    let entry = this.#slots[i] ?? 0
    while (entry !== 0 && (this.#slice[entry - 1] ?? 0) > slice) {
      after = this.#slice[entry - 1] ?? 0
      previous = entry
      entry = this.#next[entry - 1] ?? 0
    }
    if (entry === 0 || this.#slice[entry - 1] !== slice) return null
    const next = this.#next[entry - 1] ?? 0
    if (previous === 0) this.#slots[i] = next
    else this.#next[previous - 1] = next
    return { before: next === 0 ? null : (this.#slice[next - 1] ?? 0), after }
  }

  /** No window needs what lies in slices before `slice`. */
  pass(slice: number): void {
    this.#passed = slice
  }

  get bytes(): number {
    return this.#slots.byteLength + this.#slice.length * 16
  }

  #slotOf(salt: number, a: number, b: number, c: number): number {
    const mark = salt + 1
    const slots = this.#slots
    for (let slot = place(mark, a) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const i = slot * WIDTH
      if (slots[i + 3] === 0) {
        slots[i] = a
        slots[i + 1] = b
        slots[i + 2] = c
        slots[i + 3] = mark
        this.#used++
        return slot
      }
      if (slots[i + 3] === mark && slots[i] === a && slots[i + 1] === b && slots[i + 2] === c) return slot
    }
  }

  /** Makes room: drops ids that were last seen in a passed slice, and entries that no list reaches. */
  #rebuild(): void {
    const kept = [...this.#lists()]
    let size = LEAST_SLOTS
    while (kept.length * 3 > size) size *= 2
    this.#slots = new Int32Array(size * WIDTH)
    this.#mask = size - 1
    this.#used = 0
    this.#slice = []
    this.#next = []
    for (const list of kept) this.#put(list)
    this.#mostEntries = Math.max(LEAST_SLOTS, this.#slice.length * 2)
  }

  *#lists(): Iterable<{ a: number; b: number; c: number; mark: number; slices: number[] }> {
    const slots = this.#slots
    for (let i = 0; i < slots.length; i += WIDTH) {
      const mark = slots[i + 3] ?? 0
      if (mark === 0) continue
      const slices: number[] = []
      for (let entry = slots[i + 4] ?? 0; entry !== 0; entry = this.#next[entry - 1] ?? 0) {
        const slice = this.#slice[entry - 1] ?? 0
        if (slice < this.#passed) break
        slices.push(slice)
      }
      if (slices.length > 0)
        yield { a: slots[i] ?? 0, b: slots[i + 1] ?? 0, c: slots[i + 2] ?? 0, mark, slices }
    }
  }

  #put(list: { a: number; b: number; c: number; mark: number; slices: readonly number[] }): void {
    const slot = this.#slotOf(list.mark - 1, list.a, list.b, list.c)
    let next = 0
    for (const slice of [...list.slices].reverse()) {
      this.#slice.push(slice)
      this.#next.push(next)
      next = this.#slice.length
    }
    this.#slots[slot * WIDTH + 4] = next
  }

  /** Rows of numbers: three words of hash, mark, number of slices, then the slices, latest first. */
  save(): { passed: number; rows: Float64Array } {
    const rows: number[] = []
    for (const { a, b, c, mark, slices } of this.#lists()) rows.push(a, b, c, mark, slices.length, ...slices)
    return { passed: this.#passed, rows: Float64Array.from(rows) }
  }

  static restore({ passed, rows }: ReturnType<Occurrences['save']>): Occurrences {
    const table = new Occurrences()
    table.#passed = passed
    for (let at = 0; at < rows.length; ) {
      const [a = 0, b = 0, c = 0, mark = 0, count = 0] = rows.subarray(at, at + 5)
      if (table.#used * 3 >= (table.#mask + 1) * 2) table.#rebuild()
      table.#put({ a, b, c, mark, slices: [...rows.subarray(at + 5, at + 5 + count)] })
      at += 5 + count
    }
    return table
  }
}

function place(mark: number, a: number): number {
  return a ^ Math.imul(mark, 0x9e3779b1)
}

const SHARDS = 16
const LEAST_SLOTS = 64
/** Words of a slot: 128-bit id hash, content hash, window. */
const WIDTH = 6

/**
 * Ids of all events whose base window is not closed (semantics.md §6), so that a repeat is known whatever time it
 * claims. Open addressing, 24 bytes a slot. A slot names the window that its event was counted in; when that window
 * closes, `release` forgets the window and its slots are dead: passed over by probes, dropped when the shard is
 * rebuilt. Sixteen shards, so that a rebuild moves a sixteenth of the ids at a time.
 */
export class IdTable {
  #shards = Array.from({ length: SHARDS }, () => new Shard())
  #live = new Map<number, number>()
  #count = 0

  /** Ids that a repeat would be found among. */
  get size(): number {
    return this.#count
  }

  get bytes(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.bytes, 0)
  }

  /**
   * Looks for the id with hash `(a, b, c, d)`. Returns its content hash when it is live; null when it is not known.
   */
  find(a: number, b: number, c: number, d: number): number | null {
    return this.#shard(d).find(a, b, c, d, this.#live)
  }

  /** Remembers an id that `find` did not know, until `window` is released. `window` is a number above 0. */
  insert(a: number, b: number, c: number, d: number, content: number, window: number): void {
    this.#live.set(window, (this.#live.get(window) ?? 0) + 1)
    this.#count++
    this.#shard(d).insert(a, b, c, d, content, window, this.#live)
  }

  /** The window closed: its ids are no longer known. */
  release(window: number): void {
    this.#count -= this.#live.get(window) ?? 0
    this.#live.delete(window)
  }

  #shard(d: number): Shard {
    const shard = this.#shards[d & (SHARDS - 1)]
    if (!shard) throw new RangeError('shard out of range')
    return shard
  }
}

class Shard {
  #slots = new Uint32Array(LEAST_SLOTS * WIDTH)
  #mask = LEAST_SLOTS - 1
  #used = 0

  get bytes(): number {
    return this.#slots.byteLength
  }

  find(a: number, b: number, c: number, d: number, live: ReadonlyMap<number, number>): number | null {
    const slots = this.#slots
    for (let slot = a & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const i = slot * WIDTH
      const window = slots[i + 5] ?? 0
      if (window === 0) return null
      if (
        slots[i] === a &&
        slots[i + 1] === b &&
        slots[i + 2] === c &&
        slots[i + 3] === d &&
        live.has(window)
      ) {
        return slots[i + 4] ?? 0
      }
    }
  }

  insert(
    a: number,
    b: number,
    c: number,
    d: number,
    content: number,
    window: number,
    live: ReadonlyMap<number, number>,
  ): void {
    if (this.#used * 3 >= (this.#mask + 1) * 2) this.#rebuild(live)
    const slots = this.#slots
    let slot = a & this.#mask
    while (slots[slot * WIDTH + 5] !== 0) slot = (slot + 1) & this.#mask
    const i = slot * WIDTH
    slots[i] = a
    slots[i + 1] = b
    slots[i + 2] = c
    slots[i + 3] = d
    slots[i + 4] = content
    slots[i + 5] = window
    this.#used++
  }

  /** Drops dead slots; doubles when the live ones alone would fill more than a third. */
  #rebuild(live: ReadonlyMap<number, number>): void {
    const old = this.#slots
    const alive: number[] = []
    for (let i = 0; i < old.length; i += WIDTH) {
      const window = old[i + 5] ?? 0
      if (window !== 0 && live.has(window)) alive.push(i)
    }
    let size = LEAST_SLOTS
    while (alive.length * 3 > size) size *= 2
    this.#slots = new Uint32Array(size * WIDTH)
    this.#mask = size - 1
    this.#used = alive.length
    for (const i of alive) {
      let slot = (old[i] ?? 0) & this.#mask
      while (this.#slots[slot * WIDTH + 5] !== 0) slot = (slot + 1) & this.#mask
      this.#slots.set(old.subarray(i, i + WIDTH), slot * WIDTH)
    }
  }
}

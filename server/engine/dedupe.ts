import { IdShard } from './idShard'

const SHARDS = 16

/**
 * Ids of all events whose base window is not closed (semantics.md §6), so that a repeat is known whatever time it
 * claims. An id stands by 128 bits of hash. When a window closes, `release` forgets it at once; the room of its ids
 * is given back a little with each record. Sixteen shards, so that growing moves a sixteenth at a time.
 */
export class IdTable {
  #shards = Array.from({ length: SHARDS }, () => new IdShard())
  /** Ids by the window that they are kept under. */
  #live = new Map<number, number>()
  #count = 0
  #lastWindow = 0
  #lastCount = 0
  /** What was read for the cache's sake; kept, so that no compiler leaves the reading out. */
  prefetched = 0
  /** The id that was looked for last. */
  #a = 0
  #b = 0
  #c = 0
  #d = 0

  /** Ids that a repeat would be found among. */
  get size(): number {
    return this.#count
  }

  get bytes(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.bytes, 0)
  }

  /**
   * Reads where each of the ids `words`, four words of hash each, will be looked for. One after the other they would
   * each wait for memory; together they wait about once (limits.md).
   */
  prefetch(words: Int32Array): void {
    let prefetched = 0
    for (let i = 0; i < words.length; i += 4) {
      prefetched ^= this.#shard(words[i + 3] ?? 0).prefetch(words[i] ?? 0)
    }
    this.prefetched = prefetched
  }

  /** Gives back the room of dead ids, a little at a time; to be called once a record. */
  tidy(): void {
    for (const shard of this.#shards) shard.tidy()
  }

  /** Looks for the id with hash `(a, b, c, d)`. Returns its content hash when it is live; null when it is not known. */
  find(a: number, b: number, c: number, d: number): number | null {
    this.#a = a
    this.#b = b
    this.#c = c
    this.#d = d
    return this.#shard(d).find(a, b, c, d, this.#live)
  }

  /** Remembers the id that `find` last did not know, until `window` is released. `window` is a number above 0. */
  insertFound(content: number, window: number): void {
    if (window !== this.#lastWindow) this.#turnTo(window)
    this.#lastCount++
    this.#count++
    this.#shard(this.#d).insert(this.#a, this.#b, this.#c, this.#d, content, window)
  }

  /** Most ids follow one of their window: its count is kept out of the map, which only says that it lives. */
  #turnTo(window: number): void {
    if (this.#lastWindow !== 0) this.#live.set(this.#lastWindow, this.#lastCount)
    this.#lastWindow = window
    this.#lastCount = this.#live.get(window) ?? 0
    if (window !== 0) this.#live.set(window, this.#lastCount)
  }

  /** The window closed: its ids are no longer known. */
  release(window: number): void {
    this.#turnTo(0)
    this.#count -= this.#live.get(window) ?? 0
    this.#live.delete(window)
    for (const shard of this.#shards) shard.release(window)
  }

  #shard(d: number): IdShard {
    const shard = this.#shards[d & (SHARDS - 1)]
    if (!shard) throw new RangeError('shard out of range')
    return shard
  }

  get shards(): number {
    return this.#shards.length
  }

  /** The live ids of a shard, six words each: hash, content, window. For a snapshot. */
  saveShard(i: number): Int32Array {
    const live = this.#live
    return this.#shard(i).save(live)
  }

  static restore(shards: readonly Int32Array[]): IdTable {
    const table = new IdTable()
    for (const ids of shards) {
      for (let i = 0; i < ids.length; i += 6) {
        table.find(ids[i] ?? 0, ids[i + 1] ?? 0, ids[i + 2] ?? 0, ids[i + 3] ?? 0)
        table.insertFound(ids[i + 4] ?? 0, ids[i + 5] ?? 0)
      }
    }
    return table
  }
}

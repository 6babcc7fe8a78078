import { slotsFor } from './slotsFor'

const LEAST_SLOTS = 16
/** Words of an entry: three of the id's hash, and the salt. */
const WIDTH = 4

/**
 * The distinct ids of all keys of one window, in one table: a member is a pair (salt, id), where the salt stands for
 * the key and for what is counted. An id stands by 96 bits of its hash: within one salt two of a billion ids meet
 * with a chance below 10^-10. One table a window instead of one a key: most keys hold a handful of ids.
 *
 * Members lie one after the other in the order in which they came; the table proper holds a tag and a number of each,
 * 8 bytes a slot. A new id, which most are, is found to be new by its slot alone and written behind the last one: what
 * costs here is waiting for memory, and this waits once.
 */
export class PairSet {
  /** Tag and number plus 1 of each slot, side by side; number 0 is an empty slot. */
  #slots: Int32Array
  #mask: number
  #entries: Int32Array
  #size = 0

  /** `expected`: pairs that there is room for from the start. */
  constructor(expected = 0) {
    const slots = slotsFor(expected * 2, LEAST_SLOTS)
    this.#slots = new Int32Array(slots * 2)
    this.#mask = slots - 1
    this.#entries = new Int32Array((slots >> 1) * WIDTH)
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#slots.byteLength + this.#entries.byteLength
  }

  /** Adds the pair of `salt` and the hash at `hashes[at .. at+4)`. True when it was not there. */
  add(salt: number, hashes: Int32Array, at: number): boolean {
    return this.#add(salt, hashes[at] ?? 0, hashes[at + 1] ?? 0, hashes[at + 2] ?? 0)
  }

  #add(salt: number, a: number, b: number, c: number): boolean {
    if ((this.#size + 1) * 2 > this.#mask + 1) this.#grow()
    const slots = this.#slots
    const mask = this.#mask
    const tag = tagOf(salt, a)
    let i = (tag & mask) * 2
    for (; ; i = (i + 2) & (mask * 2 + 1)) {
      const number = slots[i + 1] ?? 0
      if (number === 0) break
      if (slots[i] === tag && this.#is(number - 1, salt, a, b, c)) return false
    }
    slots[i] = tag
    slots[i + 1] = this.#size + 1
    this.#append(salt, a, b, c)
    return true
  }

  #is(number: number, salt: number, a: number, b: number, c: number): boolean {
    const entries = this.#entries
    const e = number * WIDTH
    return entries[e] === a && entries[e + 1] === b && entries[e + 2] === c && entries[e + 3] === salt
  }

  #append(salt: number, a: number, b: number, c: number): void {
    const entries = this.#entries
    const e = this.#size++ * WIDTH
    entries[e] = a
    entries[e + 1] = b
    entries[e + 2] = c
    entries[e + 3] = salt
  }

  /** Adds all pairs of another set; `added` hears of the salts of those that were new. */
  addAll(other: PairSet, added: (salt: number) => void): void {
    other.forEach((salt, a, b, c) => {
      if (this.#add(salt, a, b, c)) added(salt)
    })
  }

  forEach(visit: (salt: number, a: number, b: number, c: number) => void): void {
    const entries = this.#entries
    for (let e = 0; e < this.#size * WIDTH; e += WIDTH) {
      visit(entries[e + 3] ?? 0, entries[e] ?? 0, entries[e + 1] ?? 0, entries[e + 2] ?? 0)
    }
  }

  /** A tag says where it belongs in a table of any size, so the members stay where they are. */
  #grow(): void {
    const old = this.#slots
    const slots = new Int32Array(old.length * 2)
    const mask = slots.length / 2 - 1
    for (let i = 0; i < old.length; i += 2) {
      const number = old[i + 1] ?? 0
      if (number === 0) continue
      const tag = old[i] ?? 0
      let to = (tag & mask) * 2
      while (slots[to + 1] !== 0) to = (to + 2) & (mask * 2 + 1)
      slots[to] = tag
      slots[to + 1] = number
    }
    this.#slots = slots
    this.#mask = mask
    const entries = new Int32Array((slots.length / 4) * WIDTH)
    entries.set(this.#entries)
    this.#entries = entries
  }

  /** The members in order, for a snapshot; the table follows from them. */
  save(): Int32Array {
    return this.#entries.subarray(0, this.#size * WIDTH)
  }

  static restore(entries: Int32Array): PairSet {
    const set = new PairSet(entries.length / WIDTH)
    for (let e = 0; e < entries.length; e += WIDTH) {
      set.#add(entries[e + 3] ?? 0, entries[e] ?? 0, entries[e + 1] ?? 0, entries[e + 2] ?? 0)
    }
    return set
  }
}

/** Where a pair is looked for first: ids of one hash under different salts lie apart. */
function tagOf(salt: number, a: number): number {
  return a ^ Math.imul(salt + 1, 0x9e3779b1)
}

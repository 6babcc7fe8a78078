import { slotsFor } from './slotsFor'

const LEAST_SLOTS = 16
/** Words of an entry: three of the id's hash, and the salt. */
export const WIDTH = 4

/**
 * One table of pairs (salt, id), of a set's members those whose tags begin alike. Members lie one after the other in
 * the order in which they came; the table proper holds 4 bytes a slot. With 2^k slots a member is found by the low k
 * bits of its tag, and the slot holds the other bits of the tag and, in its own low k bits, the member's number. A new
 * id, which most are, is found to be new by its slot alone and written behind the last one: what costs here is waiting
 * for memory, and this waits once.
 */
export class PairTable {
  /** High bits of the tag, and number plus 1; 0 is an empty slot. */
  #slots: Int32Array
  #mask: number
  #entries: Int32Array
  #size = 0

  /** `expected`: pairs that there is room for from the start. */
  constructor(expected = 0) {
    const slots = slotsFor(expected * 2, LEAST_SLOTS)
    this.#slots = new Int32Array(slots)
    this.#mask = slots - 1
    this.#entries = new Int32Array((slots >> 1) * WIDTH)
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#slots.byteLength + this.#entries.byteLength
  }

  /** Reads the slot at which a pair is looked for first, so that it is in the cache when it is needed. */
  prefetch(tag: number): number {
    return this.#slots[tag & this.#mask] ?? 0
  }

  /** Adds the pair of `salt` and hash `(a, b, c)`, whose tag is `tag`. True when it was not there. */
  add(tag: number, salt: number, a: number, b: number, c: number): boolean {
    if ((this.#size + 1) * 2 > this.#mask + 1) this.#grow()
    const slots = this.#slots
    const mask = this.#mask
    let i = tag & mask
    for (let slot = slots[i] ?? 0; slot !== 0; slot = slots[i] ?? 0) {
      if (((slot ^ tag) & ~mask) === 0 && this.#is((slot & mask) - 1, salt, a, b, c)) return false
      i = (i + 1) & mask
    }
    slots[i] = (tag & ~mask) | (this.#size + 1)
    this.#append(salt, a, b, c)
    return true
  }

  /** Forgets a pair, whose place the last member takes. False when it was not there. */
  delete(tag: number, salt: number, a: number, b: number, c: number): boolean {
    const slot = this.#slotOf(tag, (number) => this.#is(number, salt, a, b, c))
    if (slot < 0) return false
    const number = ((this.#slots[slot] ?? 0) & this.#mask) - 1
    this.#clear(slot)
    const last = --this.#size
    if (number === last) return true
    const moved = this.#slotOf(this.#tagAt(last), (candidate) => candidate === last)
    this.#slots[moved] = ((this.#slots[moved] ?? 0) & ~this.#mask) | (number + 1)
    this.#entries.copyWithin(number * WIDTH, last * WIDTH, (last + 1) * WIDTH)
    return true
  }

  /** Slot of the member with this tag that `is` knows; -1 when there is none. */
  #slotOf(tag: number, is: (number: number) => boolean): number {
    const mask = this.#mask
    for (let i = tag & mask; ; i = (i + 1) & mask) {
      const slot = this.#slots[i] ?? 0
      if (slot === 0) return -1
      if (((slot ^ tag) & ~mask) === 0 && is((slot & mask) - 1)) return i
    }
  }

  /** Empties a slot; those behind it that would not be found across the gap move up (linear probing). */
  #clear(slot: number): void {
    const slots = this.#slots
    const mask = this.#mask
    let gap = slot
    for (let i = (gap + 1) & mask; slots[i] !== 0; i = (i + 1) & mask) {
      const home = this.#tagAt(((slots[i] ?? 0) & mask) - 1) & mask
      if (((i - home) & mask) < ((i - gap) & mask)) continue
      slots[gap] = slots[i] ?? 0
      gap = i
    }
    slots[gap] = 0
  }

  #tagAt(number: number): number {
    return tagOf(this.#entries[number * WIDTH + 3] ?? 0, this.#entries[number * WIDTH] ?? 0)
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

  forEach(visit: (salt: number, a: number, b: number, c: number) => void): void {
    const entries = this.#entries
    for (let e = 0; e < this.#size * WIDTH; e += WIDTH) {
      visit(entries[e + 3] ?? 0, entries[e] ?? 0, entries[e + 1] ?? 0, entries[e + 2] ?? 0)
    }
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    const entries = new Int32Array((slots.length / 2) * WIDTH)
    entries.set(this.#entries)
    for (let number = 1, e = 0; number <= this.#size; number++, e += WIDTH) {
      const tag = tagOf(entries[e + 3] ?? 0, entries[e] ?? 0)
      let i = tag & mask
      while (slots[i] !== 0) i = (i + 1) & mask
      slots[i] = (tag & ~mask) | number
    }
    this.#slots = slots
    this.#mask = mask
    this.#entries = entries
  }

  /** In order of arrival, four words each; the slots follow from them. */
  get members(): Int32Array {
    return this.#entries.subarray(0, this.#size * WIDTH)
  }
}

/** By which a pair is looked for: ids of one hash under different salts lie apart. */
export function tagOf(salt: number, a: number): number {
  return a ^ Math.imul(salt + 1, 0x9e3779b1)
}

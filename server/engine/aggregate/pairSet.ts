import { PairTable, tagOf, WIDTH } from './pairTable'

/** Pairs up to which one table holds them all. */
const MOST_IN_ONE = 1 << 14
/** Room is not made for more than this ahead of time: a guess may be wrong. */
const MOST_AHEAD = 1 << 17
/** Tables of a set that one does not hold, as a power of two. */
const PARTS_BITS = 4
const PARTS = 1 << PARTS_BITS

/**
 * The distinct ids of all keys of one window: a member is a pair (salt, id), where the salt stands for the key and for
 * what is counted. An id stands by 96 bits of its hash: within one salt two of a billion ids meet with a chance below
 * 10^-10. One set a window instead of one a key: most keys hold a handful of ids. A large one is sixteen tables, so
 * that growing moves a sixteenth at a time: a day may hold millions.
 */
export class PairSet {
  #parts: PairTable[]
  /** Pairs at which the one table is split. */
  #splitAt: number

  /** `expected`: pairs that there is room for from the start. */
  constructor(expected = 0) {
    const parts = expected > MOST_IN_ONE ? PARTS : 1
    this.#parts = Array.from(
      { length: parts },
      () => new PairTable(Math.ceil(Math.min(expected, MOST_AHEAD) / parts)),
    )
    this.#splitAt = parts === 1 ? MOST_IN_ONE : Number.POSITIVE_INFINITY
  }

  get size(): number {
    return this.#parts.reduce((sum, part) => sum + part.size, 0)
  }

  get bytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.bytes, 0)
  }

  /** Reads where a pair is looked for first, so that it is in the cache when it is needed. */
  prefetch(salt: number, a: number): number {
    const tag = tagOf(salt, a)
    return this.#part(tag).prefetch(tag)
  }

  /** Adds the pair of `salt` and the hash at `hashes[at .. at+4)`. True when it was not there. */
  add(salt: number, hashes: Int32Array, at: number): boolean {
    return this.#add(salt, hashes[at] ?? 0, hashes[at + 1] ?? 0, hashes[at + 2] ?? 0)
  }

  #add(salt: number, a: number, b: number, c: number): boolean {
    const tag = tagOf(salt, a)
    const part = this.#part(tag)
    if (!part.add(tag, salt, a, b, c)) return false
    if (part.size > this.#splitAt) this.#split()
    return true
  }

  /** Bits of the tag that are not those by which a table looks: the slots of each part are all in use. */
  #part(tag: number): PairTable {
    const parts = this.#parts
    const part = parts[(tag >>> (32 - PARTS_BITS)) & (parts.length - 1)]
    if (!part) throw new RangeError('part out of range')
    return part
  }

  #split(): void {
    const [whole] = this.#parts
    this.#splitAt = Number.POSITIVE_INFINITY
    this.#parts = Array.from({ length: PARTS }, () => new PairTable(MOST_IN_ONE / PARTS))
    whole?.forEach((salt, a, b, c) => {
      this.#add(salt, a, b, c)
    })
  }

  /** Forgets the pair of `salt` and the hash at `hashes[at .. at+4)`. False when it was not there. */
  delete(salt: number, hashes: Int32Array, at: number): boolean {
    const a = hashes[at] ?? 0
    const tag = tagOf(salt, a)
    return this.#part(tag).delete(tag, salt, a, hashes[at + 1] ?? 0, hashes[at + 2] ?? 0)
  }

  /** Adds all pairs of another set; `added` hears of the salts of those that were new. */
  addAll(other: PairSet, added: (salt: number) => void): void {
    other.forEach((salt, a, b, c) => {
      if (this.#add(salt, a, b, c)) added(salt)
    })
  }

  forEach(visit: (salt: number, a: number, b: number, c: number) => void): void {
    for (const part of this.#parts) part.forEach(visit)
  }

  /** The members, for a snapshot: in order of arrival, part by part; the tables follow from them. */
  save(): Int32Array {
    const saved = new Int32Array(this.#parts.reduce((sum, part) => sum + part.members.length, 0))
    let at = 0
    for (const { members } of this.#parts) {
      saved.set(members, at)
      at += members.length
    }
    return saved
  }

  static restore(entries: Int32Array): PairSet {
    const set = new PairSet(entries.length / WIDTH)
    for (let e = 0; e < entries.length; e += WIDTH) {
      set.#add(entries[e + 3] ?? 0, entries[e] ?? 0, entries[e + 1] ?? 0, entries[e + 2] ?? 0)
    }
    return set
  }
}

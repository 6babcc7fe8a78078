import type { RowKeyParts } from '../row'
import { type BatchKeys, escapeReserved, keyParts, OTHER } from './batchKeys'
import { slotsFor } from './slotsFor'

const LEAST_SLOTS = 8
/** Words of a slot: three of the key's hash, and its number plus 1; 0 there is an empty slot. */
const WIDTH = 4
/** Length that stands for an absent value; values are at most 128 characters. */
const ABSENT = 0xffff
/** Words that tell the overflow key of a currency from a real one of the same hash. */
const OVERFLOW_A = 0x5bd1e995

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Short plain text by hand: calling the decoder costs more than it decodes. */
function textOf(bytes: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0
    if (byte >= 0x80) return decoder.decode(bytes.subarray(from, to))
    text += String.fromCharCode(byte)
  }
  return text
}

/** Three bytes name a currency; the hash of them is the number itself. */
function currencyWord(keys: BatchKeys, row: number): number {
  const { strings } = keys.batch
  const currency = keys.batch.currency[row] ?? 0
  let word = 0
  for (let i = strings.offsets[currency] ?? 0; i < (strings.offsets[currency + 1] ?? 0); i++) {
    word = (Math.imul(word, 257) + (strings.bytes[i] ?? 0)) | 0
  }
  return word
}

/** A table's columns, for a snapshot. */
export interface SavedKeys {
  readonly count: number
  readonly slots: Int32Array
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  readonly others: Uint32Array
}

/**
 * The keys of one window, numbered in order of arrival: found by hash, kept as UTF-8 bytes and decoded only when a
 * row is published or shown. A key costs some 60 bytes and no object.
 */
export class KeyTable {
  #slots: Int32Array
  #mask: number
  #bytes: Uint8Array = new Uint8Array(64)
  /** End of key i's bytes is `#ends[i]`. */
  #ends: Uint32Array
  #count = 0
  /** Numbers of the overflow keys, one a currency. */
  #others: number[] = []

  /** `expected`: keys that there is room for from the start. */
  constructor(expected = 0) {
    const slots = slotsFor(expected * 2, LEAST_SLOTS)
    this.#slots = new Int32Array(slots * WIDTH)
    this.#mask = slots - 1
    this.#ends = new Uint32Array(slots)
  }

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    return this.#slots.byteLength + this.#bytes.byteLength + this.#ends.byteLength
  }

  isOther(ordinal: number): boolean {
    return this.#others.includes(ordinal)
  }

  /**
   * Number of the key that `keys` last looked at, which is that of `row`; a new one when it is not known. When the
   * table holds `most` keys, the overflow key of the currency (semantics.md §8); a view without dimensions has a key
   * per currency only, so there is nothing to fold into.
   */
  numberOf(keys: BatchKeys, row: number, most: number): number {
    const known = this.#find(keys.a, keys.b, keys.c)
    if (known >= 0) return known
    if (this.#count - this.#others.length < most || keys.columns.length === 1) {
      return this.#insert(keys.a, keys.b, keys.c, keys, row, false)
    }
    return this.#otherOf(keys, row)
  }

  /** Number of the key that `keys` last looked at; -1 when it is not known. */
  known(keys: BatchKeys): number {
    return this.#find(keys.a, keys.b, keys.c)
  }

  /** Number of the key under which an event of this window was counted: its own, or its overflow; -1: neither is held. */
  counting(keys: BatchKeys, row: number): number {
    const known = this.known(keys)
    if (known >= 0) return known
    const word = currencyWord(keys, row)
    return this.#find(OVERFLOW_A, word, ~word)
  }

  #otherOf(keys: BatchKeys, row: number): number {
    const word = currencyWord(keys, row)
    const known = this.#find(OVERFLOW_A, word, ~word)
    return known >= 0 ? known : this.#insert(OVERFLOW_A, word, ~word, keys, row, true)
  }

  partsOf(ordinal: number): RowKeyParts {
    let at = ordinal === 0 ? 0 : (this.#ends[ordinal - 1] ?? 0)
    const end = this.#ends[ordinal] ?? 0
    const other = this.isOther(ordinal)
    const values: (string | null)[] = []
    while (at < end) {
      const length = (this.#bytes[at] ?? 0) | ((this.#bytes[at + 1] ?? 0) << 8)
      at += 2
      if (length === ABSENT) values.push(null)
      else {
        values.push(textOf(this.#bytes, at, at + length))
        at += length
      }
    }
    const [currency, ...dims] = values
    const shown = (dim: string | null) => (other ? OTHER : dim === null ? null : escapeReserved(dim))
    return keyParts(currency ?? '', dims.map(shown))
  }

  #find(a: number, b: number, c: number): number {
    const slots = this.#slots
    for (let slot = a & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const i = slot * WIDTH
      const mark = slots[i + 3] ?? 0
      if (mark === 0) return -1
      if (slots[i] === a && slots[i + 1] === b && slots[i + 2] === c) return mark - 1
    }
  }

  #insert(a: number, b: number, c: number, keys: BatchKeys, row: number, other: boolean): number {
    if ((this.#count + 1) * 2 > this.#mask + 1) this.#grow()
    this.#place(a, b, c, this.#count + 1)
    this.#write(keys, row)
    if (other) this.#others.push(this.#count)
    return this.#count++
  }

  #place(a: number, b: number, c: number, mark: number): void {
    const slots = this.#slots
    let slot = a & this.#mask
    while (slots[slot * WIDTH + 3] !== 0) slot = (slot + 1) & this.#mask
    const i = slot * WIDTH
    slots[i] = a
    slots[i + 1] = b
    slots[i + 2] = c
    slots[i + 3] = mark
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    this.#mask = this.#slots.length / WIDTH - 1
    for (let i = 0; i < old.length; i += WIDTH) {
      const mark = old[i + 3] ?? 0
      if (mark !== 0) this.#place(old[i] ?? 0, old[i + 1] ?? 0, old[i + 2] ?? 0, mark)
    }
    const ends = new Uint32Array(this.#slots.length / WIDTH)
    ends.set(this.#ends)
    this.#ends = ends
  }

  /** Each part: two bytes of length, then its UTF-8. */
  #write(keys: BatchKeys, row: number): void {
    const { bytes, offsets } = keys.batch.strings
    let at = this.#count === 0 ? 0 : (this.#ends[this.#count - 1] ?? 0)
    for (const column of keys.columns) {
      const index = column?.[row] ?? 0
      const from = offsets[index] ?? 0
      const length = index === 0 ? 0 : (offsets[index + 1] ?? 0) - from
      this.#reserve(at + length + 2)
      const mark = index === 0 ? ABSENT : length
      this.#bytes[at++] = mark & 0xff
      this.#bytes[at++] = mark >>> 8
      for (let i = 0; i < length; i++) this.#bytes[at++] = bytes[from + i] ?? 0
    }
    this.#ends[this.#count] = at
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(size, this.#bytes.length * 2))
    grown.set(this.#bytes)
    this.#bytes = grown
  }

  save(): SavedKeys {
    return {
      count: this.#count,
      slots: this.#slots,
      bytes: this.#bytes,
      ends: this.#ends,
      others: Uint32Array.from(this.#others),
    }
  }

  static restore(saved: SavedKeys): KeyTable {
    const table = new KeyTable()
    table.#count = saved.count
    table.#slots = saved.slots
    table.#mask = saved.slots.length / WIDTH - 1
    table.#bytes = saved.bytes
    table.#ends = saved.ends
    table.#others = [...saved.others]
    return table
  }
}

import type { StringTable } from '../../contracts/stringTable'
import { Scratch } from '../scratch'

const C1 = 0x239b961b
const C2 = 0xab0e9789
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93

function rotl(x: number, r: number): number {
  return (x << r) | (x >>> (32 - r))
}

function fmix(h: number): number {
  let x = h
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

/** Up to four bytes from `at` on, little endian; what lies at or behind `end` is 0. */
function word(view: DataView, at: number, end: number): number {
  if (at + 4 <= end) return view.getInt32(at, true)
  let value = 0
  for (let i = end - 1; i >= at; i--) value = (value << 8) | view.getUint8(i)
  return value
}

/**
 * 128-bit hash of the bytes `[from, to)` of a view (MurmurHash3 x86_128, seed 0) written to `out[at .. at+4)`. With 128 bits two
 * different ids meet with a chance below 10^-20 at 10^9 ids, so a hash stands for an id (semantics.md §6).
 */
export function hash128(view: DataView, from: number, to: number, out: Int32Array, at: number): void {
  let h1 = 0
  let h2 = 0
  let h3 = 0
  let h4 = 0
  const length = to - from
  const blocksEnd = from + (length & ~15)
  for (let i = from; i < blocksEnd; i += 16) {
    h1 ^= Math.imul(rotl(Math.imul(word(view, i, to), C1), 15), C2)
    h1 = (Math.imul((rotl(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0
    h2 ^= Math.imul(rotl(Math.imul(word(view, i + 4, to), C2), 16), C3)
    h2 = (Math.imul((rotl(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0
    h3 ^= Math.imul(rotl(Math.imul(word(view, i + 8, to), C3), 17), C4)
    h3 = (Math.imul((rotl(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0
    h4 ^= Math.imul(rotl(Math.imul(word(view, i + 12, to), C4), 18), C1)
    h4 = (Math.imul((rotl(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0
  }
  // Words behind the end are 0 and change nothing.
  if (blocksEnd < to) {
    h4 ^= Math.imul(rotl(Math.imul(word(view, blocksEnd + 12, to), C4), 18), C1)
    h3 ^= Math.imul(rotl(Math.imul(word(view, blocksEnd + 8, to), C3), 17), C4)
    h2 ^= Math.imul(rotl(Math.imul(word(view, blocksEnd + 4, to), C2), 16), C3)
    h1 ^= Math.imul(rotl(Math.imul(word(view, blocksEnd, to), C1), 15), C2)
  }
  h1 ^= length
  h2 ^= length
  h3 ^= length
  h4 ^= length
  h1 = (h1 + h2 + h3 + h4) | 0
  h2 = (h2 + h1) | 0
  h3 = (h3 + h1) | 0
  h4 = (h4 + h1) | 0
  h1 = fmix(h1)
  h2 = fmix(h2)
  h3 = fmix(h3)
  h4 = fmix(h4)
  h1 = (h1 + h2 + h3 + h4) | 0
  // Signed words, here and wherever hashes are kept: V8 holds every int32 without a box, but not every uint32.
  out[at] = h1
  out[at + 1] = h2 + h1
  out[at + 2] = h3 + h1
  out[at + 3] = h4 + h1
}

/** Hashes of every string of a table, four words each; one pass a batch. Good until `scratch` makes others. */
export function hashTable(table: StringTable, scratch = new Scratch()): Int32Array {
  const count = table.offsets.length - 1
  const { bytes } = table
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const out = scratch.zeros('hashes', count * 4)
  for (let i = 0; i < count; i++) {
    hash128(view, table.offsets[i] ?? 0, table.offsets[i + 1] ?? 0, out, i * 4)
  }
  return out
}

import { describe, expect, test } from 'vitest'
import { StringTableBuilder } from '../../../../server/contracts/stringTable'
import { hash128, hashTable } from '../../../../server/engine/aggregate/hash128'

/** Computed with mmh3 5 (Python binding of the reference C++), `hash128(text, 0, x64arch=False)`, lowest word first. */
const VECTORS: [text: string, words: number[]][] = [
  ['', [0, 0, 0, 0]],
  ['a', [2811532092, 1431744539, 1431744539, 1431744539]],
  ['ab', [360993247, 633221136, 633221136, 633221136]],
  ['abc', [1976420049, 2729445029, 2729445029, 2729445029]],
  ['abcd', [2528562346, 1169147438, 1169147438, 1169147438]],
  ['hello', [723797152, 3683770103, 2598056374, 2598056374]],
  ['0123456789abcde', [1014416493, 1292376256, 2916365274, 2810606586]],
  ['0123456789abcdef', [4219290633, 917426954, 1219304859, 1462451197]],
  ['0123456789abcdef0', [529152085, 1620184070, 3038261020, 1905003420]],
  ['I will not buy this record, it is scratched.', [2695456827, 632053312, 3652135061, 2299387381]],
  ['订单-1', [400297018, 1324365825, 54277991, 54277991]],
  ['x'.repeat(100), [2620864402, 3322486924, 79947865, 936714704]],
]

/** Hashes are kept signed; the reference prints them without a sign. */
const unsigned = (words: Int32Array) => [...words].map((word) => word >>> 0)

describe('the 128-bit hash of an id', () => {
  test.each(VECTORS)('is MurmurHash3 x86_128 of %j', (text, words) => {
    const bytes = new TextEncoder().encode(text)
    const out = new Int32Array(4)
    hash128(new DataView(bytes.buffer), 0, bytes.length, out, 0)
    expect(unsigned(out)).toEqual(words)
  })

  test('does not depend on where the bytes stand, nor on what stands around them', () => {
    for (const [text, words] of VECTORS) {
      const bytes = new TextEncoder().encode(`€${text}€€€€€€`)
      const out = new Int32Array(12)
      hash128(new DataView(bytes.buffer), 3, bytes.length - 18, out, 4)
      expect(unsigned(out)).toEqual([0, 0, 0, 0, ...words, 0, 0, 0, 0])
    }
  })

  test('of a table is that of each of its strings', () => {
    const table = new StringTableBuilder()
    for (const [text] of VECTORS) table.append(text)
    const words = VECTORS.flatMap(([, of]) => of)
    const built = table.build()
    expect(unsigned(hashTable(built))).toEqual([0, 0, 0, 0, ...words])
    // Bytes of a record read from a driver lie somewhere in a larger buffer.
    const pool = new Uint8Array(built.bytes.length + 9)
    pool.set(built.bytes, 9)
    const pooled = { bytes: pool.subarray(9), offsets: built.offsets }
    expect(unsigned(hashTable(pooled))).toEqual([0, 0, 0, 0, ...words])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PairSet } from '../../../../server/engine/aggregate/pairSet'

/** Words that meet in their low bits, so that probes run into one another; the last word's lowest bit is given up. */
const word = fc.oneof(fc.constantFrom(0, 1, 16, 32, 0xffff_ffff, 0x8000_0000), fc.nat(0xffff))
const pair = fc.tuple(
  fc.nat(3),
  word,
  word,
  word,
  word.map((w) => (w & ~1) >>> 0),
)

describe('a set of pairs', () => {
  test('answers as a Set of texts does', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 400, size: 'max' }), (pairs) => {
        const set = new PairSet()
        const model = new Set<string>()
        for (const [salt, ...words] of pairs) {
          const text = [salt, ...words].join()
          expect(set.add(salt, Uint32Array.from(words), 0)).toBe(!model.has(text))
          expect(set.size).toBe(model.add(text).size)
        }
      }),
    )
  })
})

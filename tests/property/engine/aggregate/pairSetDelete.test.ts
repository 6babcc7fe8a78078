import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PairSet } from '../../../../server/engine/aggregate/pairSet'

/** Few salts and few words, so that pairs meet in their slots; sets that split hold more than 16,384. */
const act = fc.record({
  add: fc.boolean(),
  salt: fc.integer({ min: 0, max: 3 }),
  /** Low bits, by which a pair is looked for, of few values: most pairs stand in slots of others. */
  word: fc.integer({ min: 0, max: 63 }).map((n) => (n % 8) + ((n >> 3) << 20)),
})

test('a set of pairs that forget and come again holds what a plain set of them holds', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 400, size: 'max' }), fc.boolean(), (acts, large) => {
      const set = new PairSet(large ? 20_000 : 0)
      const plain = new Set<string>()
      for (const { add, salt, word } of acts) {
        const hashes = Int32Array.from([word, word ^ 7, 3, 4])
        const name = `${salt} ${word}`
        if (add) {
          expect(set.add(salt, hashes, 0)).toBe(!plain.has(name))
          plain.add(name)
        } else expect(set.delete(salt, hashes, 0)).toBe(plain.delete(name))
        expect(set.size).toBe(plain.size)
      }
      const held: string[] = []
      PairSet.restore(set.save()).forEach((salt, a) => {
        held.push(`${salt} ${a}`)
      })
      expect(held.sort()).toEqual([...plain].sort())
    }),
    { numRuns: 300 },
  )
})

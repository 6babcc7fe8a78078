import { describe, expect, test } from 'vitest'
import { PairSet } from '../../../../server/engine/aggregate/pairSet'

const hashes = (...words: number[]) => Uint32Array.from(words)

describe('a set of pairs', () => {
  test('knows a pair once it was added', () => {
    const set = new PairSet()
    expect([set.add(1, hashes(1, 2, 3, 4), 0), set.add(1, hashes(1, 2, 3, 4), 0), set.size]).toEqual([
      true,
      false,
      1,
    ])
  })

  test('tells salts apart', () => {
    const set = new PairSet()
    const h = hashes(1, 2, 3, 4)
    for (let salt = 0; salt < 500; salt++) expect(set.add(salt, h, 0)).toBe(true)
    for (let salt = 0; salt < 500; salt++) expect(set.add(salt, h, 0)).toBe(false)
    expect(set.size).toBe(500)
  })

  test('tells hashes apart that differ in one word only', () => {
    const set = new PairSet()
    const different = [
      hashes(1, 2, 3, 4),
      hashes(9, 2, 3, 4),
      hashes(1, 9, 3, 4),
      hashes(1, 2, 9, 4),
      hashes(1, 2, 3, 8),
    ]
    expect(different.map((h) => set.add(0, h, 0))).toEqual([true, true, true, true, true])
  })

  test('holds the hash of all zeros like any other', () => {
    const set = new PairSet()
    expect([0, 1, 0, 1].map((salt) => set.add(salt, hashes(0, 0, 0, 0), 0))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('holds a hash whose salted last word is 0, which marks an empty slot', () => {
    const salted = Math.imul(1, 0x9e3779b1)
    const h = hashes(1, 2, 3, (salted << 19) | (salted >>> 13))
    const set = new PairSet()
    expect([set.add(0, h, 0), set.add(0, h, 0), set.size]).toEqual([true, false, 1])
  })

  test('reads its hash at the place it is told', () => {
    const set = new PairSet()
    const h = hashes(1, 2, 3, 4, 5, 6, 7, 8)
    expect([set.add(0, h, 0), set.add(0, h, 4), set.add(0, hashes(5, 6, 7, 8), 0)]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('stays small until it needs room: at most two thirds full, at least a third once grown', () => {
    const set = new PairSet()
    for (let i = 0; i < 10_000; i++) {
      set.add(0, hashes(Math.imul(i, 0x9e3779b1), i, i, i * 2), 0)
      expect(set.size * 16 * 3).toBeLessThanOrEqual(set.bytes * 2 + 48)
    }
    expect([set.size, set.bytes]).toEqual([10_000, 16_384 * 16])
  })
})

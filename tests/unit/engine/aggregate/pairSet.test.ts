import { describe, expect, test } from 'vitest'
import { PairSet } from '../../../../server/engine/aggregate/pairSet'

const hashes = (...words: number[]) => Int32Array.from(words)

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

  test('tells hashes apart by 96 bits, and leaves the rest to others', () => {
    const set = new PairSet()
    const seen = [
      hashes(1, 2, 3, 4),
      hashes(9, 2, 3, 4),
      hashes(1, 9, 3, 4),
      hashes(1, 2, 9, 4),
      hashes(1, 2, 3, 8),
    ]
    expect(seen.map((h) => set.add(0, h, 0))).toEqual([true, true, true, true, false])
  })

  test('holds the hash of all zeros like any other', () => {
    const set = new PairSet()
    const added = [0, 1, 0, 1].map((salt) => set.add(salt, hashes(0, 0, 0, 0), 0))
    expect(added).toEqual([true, true, false, false])
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

  test('takes in another set, and tells the salts of what was new', () => {
    const [set, other] = [new PairSet(), new PairSet()]
    set.add(0, hashes(1, 1, 1, 1), 0)
    for (const salt of [0, 1, 1]) other.add(salt, hashes(1, 1, 1, 1), 0)
    other.add(1, hashes(2, 2, 2, 2), 0)
    const news: number[] = []
    set.addAll(other, (salt) => news.push(salt))
    expect([news, set.size, other.size]).toEqual([[1, 1], 3, 3])
    set.addAll(other, () => expect.unreachable('all of it is there'))
  })

  test('grows while it takes in a larger one', () => {
    const [set, other] = [new PairSet(), new PairSet()]
    for (let i = 0; i < 1_000; i++) other.add(0, hashes(i, i, i, i), 0)
    set.addAll(other, () => {})
    expect([set.size, set.bytes]).toEqual([other.size, other.bytes])
  })

  test('takes 32 to 64 bytes a pair once it has grown', () => {
    const set = new PairSet()
    for (let i = 0; i < 10_000; i++) {
      set.add(0, hashes(Math.imul(i, 0x9e3779b1), i, i, 0), 0)
      if (i < 16) continue
      expect(set.bytes / set.size).toBeGreaterThanOrEqual(32)
      expect(set.bytes / set.size).toBeLessThanOrEqual(64)
    }
    expect([set.size, set.bytes]).toEqual([10_000, 32_768 * 16])
  })

  test('has room for what is expected from the start, but not for a wild guess', () => {
    const set = new PairSet(3_000)
    const { bytes } = set
    for (let i = 0; i < 3_000; i++) set.add(0, hashes(i, i, i, i), 0)
    expect([set.bytes, bytes]).toEqual([8_192 * 16, 8_192 * 16])
    expect(new PairSet(1e9).bytes).toBeLessThanOrEqual(2 ** 23)
  })
})

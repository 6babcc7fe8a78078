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

  test('takes 24 to 50 bytes a pair once it has grown', () => {
    const set = new PairSet()
    const each: number[] = []
    for (let i = 0; i < 100_000; i++) {
      set.add(0, hashes(Math.imul(i, 0x9e3779b1), i, i, 0), 0)
      if (i >= 16) each.push(set.bytes / set.size)
    }
    expect(each.reduce((a, b) => Math.min(a, b))).toBeGreaterThanOrEqual(24)
    expect(each.reduce((a, b) => Math.max(a, b))).toBeLessThanOrEqual(50)
  })

  test('is the same set after it was split into parts', () => {
    const set = new PairSet()
    const pair = (i: number) => [i % 7, hashes(Math.imul(i, 0x9e3779b1), i, i, 0), 0] as const
    for (let i = 0; i < 20_000; i++) expect(set.add(...pair(i))).toBe(true)
    for (let i = 0; i < 20_000; i++) expect(set.add(...pair(i))).toBe(false)
    const again = PairSet.restore(set.save())
    const salts: number[] = []
    again.addAll(set, (salt) => salts.push(salt))
    expect([set.size, again.size, salts]).toEqual([20_000, 20_000, []])
  })

  test('grows a sixteenth at a time, so that no event waits for the growth of a large one', () => {
    const set = new PairSet()
    let [bytes, most] = [0, 0]
    for (let i = 0; i < 300_000; i++) {
      set.add(0, hashes(Math.imul(i, 0x9e3779b1), i, i, 0), 0)
      if (i >= 20_000) most = Math.max(most, set.bytes / bytes - 1)
      bytes = set.bytes
    }
    expect(most).toBeLessThanOrEqual(1 / 16)
  })

  test('has room for what is expected from the start, but not for a wild guess', () => {
    const set = new PairSet(3_000)
    const { bytes } = set
    for (let i = 0; i < 3_000; i++) set.add(0, hashes(i, i, i, i), 0)
    expect([set.bytes, bytes]).toEqual([98_304, 98_304])
    expect(new PairSet(1e9).bytes).toBeLessThanOrEqual(2 ** 23)
  })
})

import { describe, expect, test } from 'vitest'
import { AdaptiveBound } from '../../../../server/engine/clock/adaptiveBound'
import { adaptive, FREE, learnt } from './learning'

/** The bound after one step over these delays. */
function boundOver(delays: readonly number[], given = {}): number {
  const bound = learnt({ ...FREE, ...given }, delays)
  bound.passTime(1_000)
  return bound.bound
}

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const times = (n: number, delay: number) => Array<number>(n).fill(delay)

describe('what a bound aims at', () => {
  test('is the nearest rank of the delays, whatever order they came in', () => {
    expect(boundOver(upTo(20).reverse())).toBe(19)
    expect(boundOver(upTo(10))).toBe(10)
    expect(boundOver([9, 100, 20])).toBe(100)
    expect(boundOver([7])).toBe(7)
    expect(boundOver([9, 100, 20], { percentile: 50 })).toBe(20)
    expect(boundOver(upTo(10), { percentile: 0.1 })).toBe(1)
    expect(boundOver(upTo(10), { percentile: 100 })).toBe(10)
  })

  test('is the p-th of a hundred delays for each whole percentile p', () => {
    const bounds = upTo(100).map((percentile) => boundOver(upTo(100), { percentile }))
    expect(bounds).toEqual(upTo(100))
  })

  test('is that times the factor, rounded up to the millisecond', () => {
    expect(boundOver([7], { factor: 1.5 })).toBe(11)
    expect(boundOver([8], { factor: 1.5 })).toBe(12)
    expect(boundOver([100], { factor: 0.001 })).toBe(1)
  })

  test('is clamped to least and most', () => {
    expect(boundOver([1], { least: 50 })).toBe(50)
    expect(boundOver([1e6], { most: 900, least: 50 })).toBe(900)
  })

  test('looks at the last delays only, as many as the sample holds', () => {
    const max = { percentile: 100, sample: 3 }
    expect(boundOver([900, 1, 2, 3], max)).toBe(3)
    expect(boundOver([900, 1, 2], max)).toBe(900)
    expect(boundOver([1, 2, 3, 900, 4, 5, 6, 7], max)).toBe(7)
  })

  test('counts a delay from the future as none', () => {
    expect(boundOver([-500])).toBe(0)
    expect(boundOver([-500, -400, 3], { percentile: 50 })).toBe(0)
  })

  test('takes all its numbers from the defaults where none are given: P95 × 1.5 within 5 s and 5 min', () => {
    const boundFor = (delay: number) => {
      const bound = learnt({}, [...times(950, delay), ...times(50, delay * 10)])
      bound.passTime(10_000)
      return bound.bound
    }
    expect([boundFor(40_000), boundFor(10_000_000)]).toEqual([60_000, 300_000])
    expect(boundFor(0)).toBe(24_000)
  })
})

describe('a step of the bound', () => {
  test('rises to the target at once, and falls by at most a fifth', () => {
    const bound = learnt({ ...FREE, fall: 20, initial: 100, percentile: 100, sample: 1 }, [10_001])
    bound.passTime(1_000)
    expect(bound.bound).toBe(10_001)
    bound.sample(0)
    const falls = [2_000, 3_000].map((at) => {
      bound.passTime(at)
      return bound.bound
    })
    expect(falls).toEqual([10_001 - 2_000, 8_001 - 1_600])
  })

  test('does not fall below the target', () => {
    const bound = learnt({ ...FREE, fall: 20, initial: 100 }, [90])
    bound.passTime(1_000)
    expect(bound.bound).toBe(90)
  })

  test('is due at each multiple of journal time, not so long after the last', () => {
    const bound = learnt(FREE, [5], 1_999)
    bound.passTime(1_999)
    expect(bound.bound).toBe(30_000)
    bound.passTime(2_000)
    expect(bound.bound).toBe(5)
    bound.sample(80)
    bound.passTime(2_999)
    expect(bound.bound).toBe(5)
    bound.passTime(3_000)
    expect(bound.bound).toBe(80)
  })

  test('that nobody came for is not made up for', () => {
    const bound = learnt({ ...FREE, fall: 20, initial: 1_000 }, [0])
    bound.passTime(50_000)
    bound.passTime(50_999)
    expect(bound.bound).toBe(800)
    bound.passTime(51_000)
    expect(bound.bound).toBe(640)
  })

  test('changes nothing while too few delays are known, and is gone then', () => {
    const bound = learnt({}, times(199, 100_000))
    bound.passTime(10_000)
    bound.sample(100_000)
    bound.passTime(19_999)
    expect(bound.bound).toBe(30_000)
    bound.passTime(20_000)
    expect(bound.bound).toBe(150_000)
  })

  test('does not count the delay of the event that triggers it', () => {
    const bound = learnt(FREE, [5])
    bound.passTime(1_000)
    bound.sample(900)
    expect(bound.bound).toBe(5)
  })

  test('begins with the bound given, before anything is known', () => {
    expect(new AdaptiveBound(adaptive({ initial: '7s' }), 0).bound).toBe(7_000)
  })
})

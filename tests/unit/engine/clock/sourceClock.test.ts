import { describe, expect, test } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT } from '../../../../server/contracts/instant'
import type { Strategy } from '../../../../server/contracts/strategy'
import { idleAfter, SourceClock } from '../../../../server/engine/clock/sourceClock'
import { adaptive } from './learning'

const bounded = (bound: number): Strategy => ({ kind: 'bounded', bound })
const ASCENDING: Strategy = { kind: 'ascending' }
const PUNCTUATED: Strategy = { kind: 'punctuated' }

const settings = (strategy: Strategy, idleTimeout: number | null = 10) => ({
  strategy,
  idleTimeout,
  test: false,
  pulled: false,
})
const clockOf = (strategy: Strategy, at = 100) => new SourceClock('a', false, settings(strategy), at)

/** Watermarks after each of these event times. */
function watermarks(clock: SourceClock, ...times: number[]): number[] {
  return times.map((ts) => {
    clock.observe(ts)
    return clock.watermark
  })
}

describe('the watermark of one source', () => {
  test.each([bounded(5), ASCENDING, PUNCTUATED, adaptive()])(
    'is MIN until its first event, by any strategy: %o',
    (strategy) => {
      const clock = clockOf(strategy)
      expect([clock.watermark, clock.maxTs]).toEqual([MIN_INSTANT, MIN_INSTANT])
      clock.configure(settings(bounded(1e15)), 200)
      expect(clock.watermark).toBe(MIN_INSTANT)
    },
  )

  test('that is bounded is the largest event time less the bound less one, and never goes back', () => {
    expect(watermarks(clockOf(bounded(5)), 100, 101, 7, 101, 102)).toEqual([94, 95, 95, 95, 96])
  })

  test('that is ascending leaves equal event times in time', () => {
    expect(watermarks(clockOf(ASCENDING), 100, 100, 99, 101)).toEqual([99, 99, 99, 100])
  })

  test('follows event times before 1970', () => {
    expect(watermarks(clockOf(bounded(5)), -12_001, -12_000)).toEqual([-12_007, -12_006])
  })

  test('saturates at both ends of time', () => {
    const clock = clockOf(bounded(5))
    expect(watermarks(clock, MIN_INSTANT, MAX_INSTANT, 0)).toEqual([MIN_INSTANT, MAX_INSTANT, MAX_INSTANT])
    expect(idleAfter(new SourceClock('a', false, settings(ASCENDING), MIN_INSTANT))).toBe(MIN_INSTANT)
  })
})

describe('the watermark of a punctuated source', () => {
  test('moves on marks only: an event with the time of the mark is still in time', () => {
    const clock = clockOf(PUNCTUATED)
    expect(watermarks(clock, 100, 500)).toEqual([MIN_INSTANT, MIN_INSTANT])
    clock.takeMark(200)
    expect([clock.watermark, clock.maxTs, clock.bound]).toEqual([199, 500, null])
    expect(watermarks(clock, 900)).toEqual([199])
  })

  test('is not moved back by an earlier mark', () => {
    const clock = clockOf(PUNCTUATED)
    const after = [200, 150, 201].map((mark) => {
      clock.takeMark(mark)
      return clock.watermark
    })
    expect(after).toEqual([199, 199, 200])
  })

  test.each([bounded(5), ASCENDING, adaptive()])('is what marks move, and no other: %o', (strategy) => {
    const clock = clockOf(strategy)
    clock.observe(100)
    const { watermark } = clock
    clock.takeMark(1_000)
    expect([clock.watermark, clock.maxTs]).toEqual([watermark, 100])
  })
})

describe('the watermark of an adaptive source', () => {
  const learning = adaptive({ initial: 50, every: 1_000, atLeast: 1, factor: 1, least: 0, percentile: 100 })

  test('stands while a step moves the bound, and follows with the next event, be it an old one', () => {
    const clock = clockOf(learning)
    clock.observe(1_000)
    clock.adaptive?.sample(45)
    clock.adaptive?.passTime(1_000)
    expect([clock.bound, clock.watermark]).toEqual([45, 949])
    clock.observe(3)
    expect([clock.watermark, clock.maxTs]).toEqual([954, 1_000])
  })

  test('does not go back when the bound rises', () => {
    const clock = clockOf(learning)
    clock.observe(1_000)
    clock.adaptive?.sample(500)
    clock.adaptive?.passTime(1_000)
    expect([clock.bound, ...watermarks(clock, 1_001, 1_451)]).toEqual([500, 949, 950])
  })
})

describe('new settings', () => {
  test('with a smaller bound raise the watermark at once', () => {
    const clock = clockOf(bounded(50))
    clock.observe(1_000)
    clock.configure(settings(bounded(5)), 200)
    expect(clock.watermark).toBe(994)
    clock.configure(settings(ASCENDING), 200)
    expect(clock.watermark).toBe(999)
  })

  test('with a larger bound leave it where it is until event times have caught up', () => {
    const clock = clockOf(bounded(5))
    clock.observe(100)
    clock.configure(settings(bounded(50)), 200)
    expect([clock.watermark, ...watermarks(clock, 101, 145, 146)]).toEqual([94, 94, 94, 95])
  })

  test('to punctuated leave it until the next mark; back to a bound it follows what was seen meanwhile', () => {
    const clock = clockOf(bounded(5))
    clock.observe(100)
    clock.configure(settings(PUNCTUATED), 200)
    expect(watermarks(clock, 1_000)).toEqual([94])
    clock.takeMark(300)
    expect(clock.watermark).toBe(299)
    clock.configure(settings(bounded(10)), 200)
    expect(clock.watermark).toBe(989)
  })

  test('to adaptive begin with an empty sample, the initial bound and the steps after the change', () => {
    const clock = clockOf(bounded(5), 0)
    clock.observe(100_000)
    clock.configure(settings(adaptive({ initial: 0, every: 1_000, atLeast: 1, least: 7 })), 5_999)
    expect([clock.bound, clock.watermark]).toEqual([0, 99_999])
    clock.adaptive?.sample(1)
    clock.adaptive?.passTime(5_999)
    expect(clock.bound).toBe(0)
    clock.adaptive?.passTime(6_000)
    expect(clock.bound).toBe(7)
  })

  test('that leave the strategy as it was leave what it has learnt', () => {
    const clock = clockOf(adaptive(), 0)
    for (let i = 0; i < 200; i++) clock.adaptive?.sample(40_000)
    clock.configure({ ...settings(adaptive()), idleTimeout: 99, pulled: true }, 10)
    clock.adaptive?.passTime(10_000)
    expect([clock.bound, clock.pulled, clock.idleAfter]).toEqual([60_000, true, 99])
    clock.configure(settings(adaptive({ most: 400_000 })), 10)
    expect(clock.bound).toBe(30_000)
  })
})

describe('the idle limit of one source', () => {
  test('is the start of its timer plus the timeout', () => {
    expect(idleAfter(clockOf(ASCENDING, 100))).toBe(110)
  })

  test('is never where idleness is off', () => {
    expect(idleAfter(new SourceClock('a', false, settings(ASCENDING, null), 0))).toBe(MAX_INSTANT)
  })
})

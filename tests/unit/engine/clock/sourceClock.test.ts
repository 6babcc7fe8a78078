import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../../server/contracts/instant'
import { idleAfter, newSourceClock, observe } from '../../../../server/engine/clock/sourceClock'

const bounded = (bound: number) => ({ kind: 'bounded', bound }) as const
const clock = (bound = 5, idleTimeout: number | null = 10, at = 100) =>
  newSourceClock('a', false, { strategy: bounded(bound), idleTimeout }, at)

describe('the watermark of one source', () => {
  test('is MIN until its first event', () => {
    expect([clock().watermark, clock().maxTs]).toEqual([MIN_INSTANT, MIN_INSTANT])
  })

  test('is the largest event time less the bound less one', () => {
    const c = clock(5)
    observe(c, 100)
    expect(c.watermark).toBe(94)
    observe(c, 101)
    expect(c.watermark).toBe(95)
  })

  test('with a bound of 0 leaves equal event times in time', () => {
    const c = clock(0)
    observe(c, 100)
    expect(c.watermark).toBe(99)
  })

  test('does not move for an older event', () => {
    const c = clock(5)
    observe(c, 100)
    observe(c, 7)
    expect([c.watermark, c.maxTs]).toEqual([94, 100])
  })

  test('does not go back when the bound grows', () => {
    const c = clock(5)
    observe(c, 100)
    c.settings = { strategy: bounded(50), idleTimeout: 10 }
    observe(c, 101)
    expect(c.watermark).toBe(94)
    observe(c, 146)
    expect(c.watermark).toBe(95)
  })

  test('follows event times before 1970', () => {
    const c = clock(5)
    observe(c, -12_001)
    expect(c.watermark).toBe(-12_007)
  })
})

describe('the idle limit of one source', () => {
  test('is the start of its timer plus the timeout', () => {
    expect(idleAfter(clock(5, 10, 100))).toBe(110)
  })

  test('is never where idleness is off', () => {
    expect(idleAfter(clock(5, null))).toBe(Number.POSITIVE_INFINITY)
  })
})

import { describe, expect, test } from 'vitest'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

const small = {
  kind: 'adaptive',
  ...{ initial: 1000, every: 10, sample: 4, atLeast: 2 },
  ...{ percentile: 50, factor: 1.5, least: 5, most: 2000, fall: 20 },
} as const
const run = (over: Partial<Omit<typeof small, 'kind'>> | object = {}, spec: SpecInput = {}) =>
  new Run({ strategy: { ...small, ...over }, ...spec })
const boundOf = (r: Run) => r.state.clock.sources.get('a')?.bound
/** An event that takes `delay` to come, at journal time `at`. */
const late = (at: number, delay: number, id?: string) => ({ at, ts: at - delay, id })

describe('a learned bound', () => {
  test('rises at once to what the delays ask for: 1.5 × the median here', () => {
    const r = run({ initial: 100 })
    r.oneByOne(late(1, 200), late(2, 200), late(9, 500))
    expect(boundOf(r)).toBe(100)
    r.events(late(10, 0))
    expect(boundOf(r)).toBe(300)
  })

  test('falls by a fifth a step, rounded down, and not below the target', () => {
    const r = run({ least: 600 })
    r.oneByOne(late(1, 0), late(2, 0))
    const bounds = [10, 20, 30, 40, 50].map((at) => {
      r.events(late(at, 0))
      return boundOf(r)
    })
    expect(bounds).toEqual([800, 640, 600, 600, 600])
    const odd = run({ initial: 1001 })
    odd.oneByOne(late(1, 0), late(2, 0), late(10, 0))
    expect(boundOf(odd)).toBe(1001 - 200)
  })

  test('is the initial one until enough delays are known, and between least and most after that', () => {
    const few = run({ atLeast: 3 })
    few.oneByOne(late(1, 5000), late(9, 5000), late(10, 5000), late(19, 1))
    expect(boundOf(few)).toBe(1000)
    few.events(late(20, 5000))
    expect(boundOf(few)).toBe(2000)
  })

  test('looks at the last delays only', () => {
    const r = run({ sample: 2, atLeast: 1, initial: 5, percentile: 100, factor: 1 })
    r.oneByOne(late(1, 900), late(2, 40), late(3, 30), late(10, 1))
    expect(boundOf(r)).toBe(40)
  })

  test('takes the nearest rank of the delays, the factor rounded up to the ms, and 0 for one from the future', () => {
    const r = run({ percentile: 75, factor: 1.1, initial: 5 })
    r.oneByOne(late(1, -50), late(2, 7), late(3, 21), late(4, 80), late(10, 0))
    expect(boundOf(r)).toBe(Math.ceil(21 * 1.1))
    const future = run({ percentile: 100, least: 0, fall: 100 })
    future.oneByOne(late(1, -50), late(2, -1), late(10, 0))
    expect(boundOf(future)).toBe(0)
  })

  test('steps once for missed steps, and only when the source itself speaks', () => {
    const r = run()
    r.oneByOne(late(1, 0), late(2, 0))
    r.tick(50)
    r.events({ ...late(51, 0), source: 'b' })
    expect(boundOf(r)).toBe(1000)
    r.events(late(95, 0))
    expect(boundOf(r)).toBe(800)
    r.events(late(99, 0))
    expect(boundOf(r)).toBe(800)
  })

  test('is not moved by duplicates and quarantined events, which are not sampled either', () => {
    const r = run({ initial: 100 })
    r.oneByOne(late(1, 200, 'x'), late(2, 200))
    r.events({ ...late(10, 0, 'x'), ts: -199 })
    r.reject('a', 11)
    expect([boundOf(r), r.state.counts.duplicate]).toEqual([100, 1])
    r.events(late(12, 0))
    expect(boundOf(r)).toBe(300)
  })

  test('is taught by late events too', () => {
    const r = run({ initial: 0, least: 0 }, { views: [{ id: 'm', window: tumbling(10) }] })
    r.oneByOne(late(5, -95), late(6, 200), late(7, 200), late(10, 0))
    expect([r.state.counts.late, boundOf(r)]).toEqual([3, 300])
  })
})

describe('the event that makes the bound step', () => {
  test('is folded under the watermark before it, though that rises by the step', () => {
    const r = run({}, { views: [{ id: 'm', window: tumbling(100) }] })
    r.oneByOne({ at: 1, ts: 1 }, { at: 2, ts: 2000 })
    expect(r.watermark).toBe(999)
    // Bound 800 puts the watermark at 1199, past the event's window: also though its time is not the largest.
    r.events({ at: 10, ts: 1050 })
    expect([boundOf(r), r.watermark]).toEqual([800, 1199])
    expect(r.state.counts).toMatchObject({ inTime: 3, late: 0 })
    expect(r.row('m', 1000)).toMatchObject({ status: 'closed', events: 1 })
  })

  test('that raises the bound does not take the watermark back', () => {
    const r = run({ initial: 0 })
    r.oneByOne(late(1, 600), late(2, 600))
    expect(r.watermark).toBe(-599)
    r.events(late(10, 0))
    expect([boundOf(r), r.watermark]).toEqual([900, -599])
  })
})

describe('the default of an adaptive source', () => {
  test('is 30 s until 200 delays are known, then 1.5 × P95, at most a fifth less each 10 s', () => {
    const r = new Run({ strategy: { kind: 'adaptive' } })
    const delays = Array.from({ length: 199 }, (_, i) => late(1000 + i, (i + 1) * 100))
    r.events(...delays, late(9_999, 20_000))
    expect(boundOf(r)).toBe(30_000)
    r.events(late(10_000, 0))
    // The 190th of 200: 19 s.
    expect(boundOf(r)).toBe(28_500)
  })
})

import { describe, expect, test } from 'vitest'
import { type CumulateSpec, type SlidingSpec, WindowSpec } from '../../../../server/contracts/windowSpec'
import { slicingOf } from '../../../../server/engine/windows/slicing'

const HOUR = 3_600_000
const sliding = (size: number, slide: number, offset = 0): SlidingSpec => ({
  kind: 'sliding',
  size,
  slide,
  offset,
})

/** Cumulate windows up to a day of Berlin. */
function berlin(step: number): CumulateSpec {
  const window = WindowSpec.parse({
    kind: 'cumulate',
    step,
    within: { kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' },
  })
  if (window.kind !== 'cumulate') throw new RangeError('not cumulate')
  return window
}

/** Start and end of each window that an instant belongs to. */
function windowsOf(window: SlidingSpec | CumulateSpec, ts: number): [start: number, end: number][] {
  const slicing = slicingOf(window)
  return slicing.idsOf(slicing.sliceOf(ts)).map((id) => [slicing.startOf(id), slicing.endOf(id)])
}

/** Hours after the day's first instant at which the windows of an instant end. */
function hoursOf(step: number, dayStart: string, ts: string): number[] {
  const start = Date.parse(dayStart)
  return windowsOf(berlin(step), Date.parse(ts)).map(([from, end]) => {
    expect(from).toBe(start)
    return (end - start) / HOUR
  })
}

describe('the slice of a sliding window', () => {
  test('is a whole slide where that divides the size', () => {
    const { sliceOf } = slicingOf(sliding(100, 50))
    expect([50, 99].map(sliceOf)).toEqual([
      { start: 50, first: 0, last: 50 },
      { start: 50, first: 0, last: 50 },
    ])
    expect(sliceOf(100)).toEqual({ start: 100, first: 50, last: 100 })
  })

  test('is cut where a window ends within a slide', () => {
    const { sliceOf } = slicingOf(sliding(100, 30))
    expect([90, 99, 100, 119, 120].map(sliceOf)).toEqual([
      { start: 90, first: 0, last: 90 },
      { start: 90, first: 0, last: 90 },
      { start: 100, first: 30, last: 90 },
      { start: 100, first: 30, last: 90 },
      { start: 120, first: 30, last: 120 },
    ])
  })

  test('is the window itself where they do not overlap', () => {
    expect(windowsOf(sliding(100, 100, 30), 129)).toEqual([[30, 130]])
  })

  test('is right before 1970, and with an offset of more than a slide', () => {
    expect(windowsOf(sliding(100, 50), -1)).toEqual([
      [-100, 0],
      [-50, 50],
    ])
    expect(windowsOf(sliding(100, 50, -70), -1)).toEqual([
      [-70, 30],
      [-20, 80],
    ])
  })

  test('belongs to 1,440 windows at most, all of them found', () => {
    const windows = windowsOf(sliding(86_400_000, 60_000), 1_770_000_012_345)
    expect(windows.length).toBe(1_440)
    expect(new Set(windows.map(([start]) => start)).size).toBe(1_440)
    expect(windows.every(([start, end]) => start <= 1_770_000_012_345 && end > 1_770_000_012_345)).toBe(true)
  })
})

describe('the windows of a cumulating view', () => {
  const tumbling = { kind: 'tumbling', size: 100, offset: 10 } as const

  test('begin together, end a step later each, and hold what lies before their end', () => {
    const window: CumulateSpec = { kind: 'cumulate', step: 25, within: tumbling }
    expect(windowsOf(window, 10).map(([, end]) => end)).toEqual([35, 60, 85, 110])
    expect(windowsOf(window, 84)).toEqual([
      [10, 85],
      [10, 110],
    ])
    expect(windowsOf(window, 85)).toEqual([[10, 110]])
    expect(windowsOf(window, 9)).toEqual([[-90, 10]])
  })

  test('are one where the step is the whole', () => {
    expect(windowsOf({ kind: 'cumulate', step: 100, within: tumbling }, 50)).toEqual([[10, 110]])
  })

  test('end with the day: the 23 hours of a spring day, which five do not divide', () => {
    const day = '2026-03-28T23:00Z'
    expect(hoursOf(5 * HOUR, day, '2026-03-28T23:00Z')).toEqual([5, 10, 15, 20, 23])
    expect(hoursOf(5 * HOUR, day, '2026-03-29T19:00Z')).toEqual([23])
    expect(hoursOf(5 * HOUR, day, '2026-03-29T18:59:59.999Z')).toEqual([20, 23])
    expect(hoursOf(5 * HOUR, '2026-03-29T22:00Z', '2026-03-29T22:00Z')).toEqual([5, 10, 15, 20, 24])
  })

  test('end with the day: the 25 hours of an autumn day, which six do not divide', () => {
    const day = '2026-10-24T22:00Z'
    expect(hoursOf(6 * HOUR, day, '2026-10-24T22:00Z')).toEqual([6, 12, 18, 24, 25])
    expect(hoursOf(6 * HOUR, day, '2026-10-25T22:00Z')).toEqual([25])
    expect(hoursOf(24 * HOUR, day, '2026-10-25T21:59Z')).toEqual([24, 25])
    expect(hoursOf(5 * HOUR, day, '2026-10-25T22:59:59.999Z')).toEqual([25])
  })
})

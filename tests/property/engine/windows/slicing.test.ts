import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CumulateSpec, WindowSpec } from '../../../../server/contracts/windowSpec'
import { type Slicing, slicingOf } from '../../../../server/engine/windows/slicing'

type Window = readonly [start: number, end: number]

/** The windows that an instant belongs to, as the slicing tells them. */
function windowsOf(slicing: Slicing, ts: number): Window[] {
  const ids = slicing.idsOf(slicing.sliceOf(ts))
  // Differences add and take away along the line of ids.
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  return ids.map((id) => [slicing.startOf(id), slicing.endOf(id)])
}

/** Those of a list of all windows that hold an instant. */
const holding = (all: readonly Window[], ts: number) => all.filter(([start, end]) => start <= ts && ts < end)

/** All instants of a slice have its windows, and the one before it has others. */
function expectSlice(slicing: Slicing, all: readonly Window[], ts: number): void {
  const slice = slicing.sliceOf(ts)
  const windows = windowsOf(slicing, ts)
  expect(windows).toEqual(holding(all, ts))
  expect(slice.start).toBeLessThanOrEqual(ts)
  expect(slicing.sliceOf(slice.start)).toEqual(slice)
  expect(holding(all, slice.start)).toEqual(windows)
  expect(holding(all, slice.start - 1)).not.toEqual(windows)
  const ids = slicing.idsOf(slice)
  expect([slice.first, slice.last]).toEqual([ids[0], ids.at(-1)])
  for (const id of ids) expectFirstAfter(slicing, id)
}

/** The slice has a window behind `id`, and the instant before it has none. */
function expectFirstAfter(slicing: Slicing, id: number): void {
  const start = slicing.firstSliceAfter(id)
  expect(slicing.sliceOf(start).start).toBe(start)
  expect(slicing.sliceOf(start).last).toBeGreaterThan(id)
  expect(slicing.sliceOf(start - 1).last).toBeLessThanOrEqual(id)
}

const sliding = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), fc.integer({ min: -59, max: 59 }))
  .map(([a, b, offset]) => {
    const size = Math.max(a, b)
    return { kind: 'sliding', size, slide: Math.min(a, b), offset: offset % size } as const
  })

/** Every window there is around an instant: each start is tried. */
function slidingAround(ts: number, size: number, slide: number, offset: number): Window[] {
  const all: Window[] = []
  for (let start = ts - 2 * size; start <= ts + size; start++) {
    if (Number.isInteger((start - offset) / slide)) all.push([start, start + size])
  }
  return all
}

const cumulate = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: -11, max: 11 }))
  .map(([step, steps, offset]) => {
    const size = step * steps
    return { kind: 'cumulate', step, within: { kind: 'tumbling', size, offset: offset % size } } as const
  })

function cumulateAround(ts: number, { step, within }: CumulateSpec): Window[] {
  if (within.kind !== 'tumbling') return []
  const { size, offset } = within
  const all: Window[] = []
  for (let start = ts - 2 * size; start <= ts + size; start++) {
    if (!Number.isInteger((start - offset) / size)) continue
    for (let end = start + step; end <= start + size; end += step) all.push([start, end])
  }
  return all
}

/** Days of Berlin around its clock changes of 2026: their first instants, by the wall. */
const DAYS = [
  '2026-03-28T00:00+01:00',
  '2026-03-29T00:00+01:00',
  '2026-03-30T00:00+02:00',
  '2026-03-31T00:00+02:00',
  '2026-10-24T00:00+02:00',
  '2026-10-25T00:00+02:00',
  '2026-10-26T00:00+01:00',
  '2026-10-27T00:00+01:00',
].map((text) => Date.parse(text))

/** Each day's windows: an end each step, and one at the day's end. */
function berlinWindows(step: number): Window[] {
  return DAYS.flatMap((start, i) => {
    const next = DAYS[i + 1]
    if (next === undefined || next - start > 90_000_000) return []
    const ends: number[] = []
    for (let end = start + step; end < next; end += step) ends.push(end)
    return [...ends, next].map((end): Window => [start, end])
  })
}

function berlin(step: number): CumulateSpec {
  const within = { kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' }
  const window = WindowSpec.parse({ kind: 'cumulate', step, within })
  if (window.kind !== 'cumulate') throw new RangeError('not cumulate')
  return window
}

const berlinTime = fc
  .tuple(fc.constantFrom(1, 2, 5, 6), fc.integer({ min: 0, max: 82_799_999 }), fc.boolean())
  .map(([day, into, late]) =>
    late ? (DAYS[day + 1] ?? 0) - 1 - (into % 7_200_000) : (DAYS[day] ?? 0) + into,
  )

describe('the windows of an instant', () => {
  test('are those that hold it, of all sliding windows tried one by one', () => {
    fc.assert(
      fc.property(sliding, fc.integer({ min: -300, max: 300 }), (window, ts) => {
        const { size, slide, offset } = window
        expectSlice(slicingOf(window), slidingAround(ts, size, slide, offset), ts)
      }),
      { numRuns: 500 },
    )
  })

  test('are those that hold it, of all cumulate windows tried one by one', () => {
    fc.assert(
      fc.property(cumulate, fc.integer({ min: -300, max: 300 }), (window, ts) => {
        expectSlice(slicingOf(window), cumulateAround(ts, window), ts)
      }),
      { numRuns: 500 },
    )
  })

  test('are those of its day, be it of 23, 24 or 25 hours, for any step of minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 1_440 }), berlinTime, (minutes, ts) => {
        const step = minutes * 60_000
        expectSlice(slicingOf(berlin(step)), berlinWindows(step), ts)
      }),
      { numRuns: 300 },
    )
  })
})

import { describe, expect, test } from 'vitest'
import { CalendarDays, localDay } from '../../../../server/engine/windows/calendarDays'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)

describe('a local day', () => {
  test('has 25 hours when the clock goes back: Europe/Berlin 2026-10-25', () => {
    const day = { start: 1_792_879_200_000, end: 1_792_969_200_000 }
    expect(day.end - day.start).toBe(25 * HOUR)
    for (const ts of [day.start, day.start + 3 * HOUR, day.end - 1]) {
      expect(localDay(ts, 'Europe/Berlin')).toEqual(day)
    }
    expect(localDay(day.start - 1, 'Europe/Berlin').end).toBe(day.start)
    expect(localDay(day.end, 'Europe/Berlin').start).toBe(day.end)
  })

  test('has 23 hours when it goes forward: Europe/Berlin 2026-03-29', () => {
    const day = localDay(at('2026-03-29T12:00:00Z'), 'Europe/Berlin')
    expect(day).toEqual({ start: at('2026-03-28T23:00:00Z'), end: at('2026-03-29T22:00:00Z') })
  })

  test('starts at 16:00 UTC in Asia/Shanghai', () => {
    const day = { start: at('2026-11-10T16:00:00Z'), end: at('2026-11-11T16:00:00Z') }
    expect(localDay(at('2026-11-10T16:00:00Z'), 'Asia/Shanghai')).toEqual(day)
    expect(localDay(at('2026-11-11T15:59:59.999Z'), 'Asia/Shanghai')).toEqual(day)
  })

  test('ends where the next existing one starts: Pacific/Apia had no 2011-12-30', () => {
    const seam = at('2011-12-30T10:00:00Z')
    expect(localDay(seam - 1, 'Pacific/Apia')).toEqual({ start: seam - 24 * HOUR, end: seam })
    expect(localDay(seam, 'Pacific/Apia')).toEqual({ start: seam, end: seam + 24 * HOUR })
  })

  test('starts at 01:00 where midnight does not exist: Africa/Cairo 2026-04-24', () => {
    const day = localDay(at('2026-04-24T12:00:00Z'), 'Africa/Cairo')
    expect(day).toEqual({ start: at('2026-04-23T22:00:00Z'), end: at('2026-04-24T21:00:00Z') })
  })

  test("keeps the hour that a clock set back across midnight repeats: St. John's, 2010-11-07 00:01", () => {
    const midnight = at('2010-11-07T02:30:00Z')
    const seventh = { start: midnight, end: at('2010-11-08T03:30:00Z') }
    expect(localDay(midnight - 1, 'America/St_Johns').end).toBe(midnight)
    for (const ts of [midnight, midnight + 60_000, midnight + 30 * 60_000, midnight + 2 * HOUR]) {
      expect(localDay(ts, 'America/St_Johns')).toEqual(seventh)
    }
  })

  test('of an unknown zone is refused', () => {
    expect(() => localDay(0, 'Mars/Olympus')).toThrow(RangeError)
  })
})

describe('cached days', () => {
  test('are those that Temporal says, in whatever order they are asked for', () => {
    const days = new CalendarDays('Europe/Berlin')
    const from = at('2026-10-23T00:00:00Z')
    const times = Array.from({ length: 200 }, (_, i) => from + ((i * 37) % 101) * HOUR + (i % 3) - 1)
    for (const ts of times) expect(days.spanOf(ts)).toEqual(localDay(ts, 'Europe/Berlin'))
  })

  test('are computed once while they are asked for, and stay right when the cache is full', () => {
    const days = new CalendarDays('Asia/Shanghai')
    const first = days.spanOf(0)
    days.spanOf(86_400_000)
    expect(days.spanOf(1)).toBe(first)
    for (let day = 1; day <= 4_097; day++) days.spanOf(day * 86_400_000)
    expect(days.spanOf(2)).toEqual(first)
    expect(days.spanOf(2)).not.toBe(first)
  })
})

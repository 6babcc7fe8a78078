import { afterEach, describe, expect, test, vi } from 'vitest'
import { CalendarWindows } from '../../../../server/engine/windows/calendar'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const at = (text: string) => Date.parse(text)
const span = (start: string, end: string) => ({ start: at(start), end: at(end) })
const dayOf = (zone: string, instant: number, dayStart = 0) =>
  new CalendarWindows('day', zone, dayStart).spanOf(instant)

describe('a local day', () => {
  test('has 25 hours when the clock goes back: Europe/Berlin 2026-10-25', () => {
    const day = { start: 1_792_879_200_000, end: 1_792_969_200_000 }
    expect(day.end - day.start).toBe(25 * HOUR)
    for (const instant of [day.start, day.start + 3 * HOUR, day.end - 1]) {
      expect(dayOf('Europe/Berlin', instant)).toEqual(day)
    }
    expect(dayOf('Europe/Berlin', day.start - 1).end).toBe(day.start)
    expect(dayOf('Europe/Berlin', day.end).start).toBe(day.end)
  })

  test('has 23 hours when it goes forward: Europe/Berlin 2026-03-29', () => {
    const day = dayOf('Europe/Berlin', at('2026-03-29T12:00:00Z'))
    expect(day).toEqual(span('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'))
    expect(day.end - day.start).toBe(23 * HOUR)
  })

  test('starts at 16:00 UTC in Asia/Shanghai', () => {
    const day = span('2026-11-10T16:00:00Z', '2026-11-11T16:00:00Z')
    expect(dayOf('Asia/Shanghai', at('2026-11-10T16:00:00Z'))).toEqual(day)
    expect(dayOf('Asia/Shanghai', at('2026-11-11T15:59:59.999Z'))).toEqual(day)
  })

  test('ends where the next existing one starts: Pacific/Apia had no 2011-12-30', () => {
    const seam = at('2011-12-30T10:00:00Z')
    expect(dayOf('Pacific/Apia', seam - 1)).toEqual({ start: seam - DAY, end: seam })
    expect(dayOf('Pacific/Apia', seam)).toEqual({ start: seam, end: seam + DAY })
  })

  test.each([
    ['Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
    ['America/Asuncion', '2019-10-06T04:00:00Z', '2019-10-07T03:00:00Z'],
    ['America/Havana', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['Asia/Beirut', '2026-03-28T22:00:00Z', '2026-03-29T21:00:00Z'],
  ])('starts at 01:00 where midnight is left out: %s', (zone, start, end) => {
    expect(dayOf(zone, at(start))).toEqual(span(start, end))
    expect(dayOf(zone, at(start) - 1).end).toBe(at(start))
  })

  test("keeps the hour that a clock set back across midnight repeats: St. John's, 2010-11-07 00:01", () => {
    const midnight = at('2010-11-07T02:30:00Z')
    const seventh = { start: midnight, end: at('2010-11-08T03:30:00Z') }
    expect(dayOf('America/St_Johns', midnight - 1).end).toBe(midnight)
    for (const later of [0, MINUTE, 30 * MINUTE, 2 * HOUR]) {
      expect(dayOf('America/St_Johns', midnight + later)).toEqual(seventh)
    }
  })

  test.each([
    ['Asia/Shanghai', '1900-05-31T15:54:17Z', '1900-06-01T15:54:17Z'],
    ['America/New_York', '1883-01-01T04:56:02Z', '1883-01-02T04:56:02Z'],
  ])('goes by the sun, to the second, before time zones: %s', (zone, start, end) => {
    expect(dayOf(zone, at(start))).toEqual(span(start, end))
    expect(dayOf(zone, at(end) - 1)).toEqual(span(start, end))
  })

  test('never starts at -0, which would be another key than 0', () => {
    expect(Object.is(dayOf('UTC', -0).start, 0)).toBe(true)
    expect(Object.is(dayOf('UTC', 5).start, 0)).toBe(true)
  })

  test('of an unknown zone is refused', () => {
    expect(() => dayOf('Mars/Olympus', 0)).toThrow(RangeError)
  })
})

describe('a business day', () => {
  const from4 = 4 * HOUR
  const from0230 = 150 * MINUTE

  test('from 04:00 keeps the night that follows its date', () => {
    const day = span('2026-11-10T20:00:00Z', '2026-11-11T20:00:00Z')
    expect(dayOf('Asia/Shanghai', at('2026-11-11T19:59:59.999Z'), from4)).toEqual(day)
  })

  test('starts as the clock is put forward over its start, not later: Europe/Berlin 2026-03-29', () => {
    expect(dayOf('Europe/Berlin', at('2026-03-29T12:00:00Z'), from0230)).toEqual(
      span('2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'),
    )
  })

  test('starts as the clock shows its start, not as it is put back from it: Europe/Berlin 2026-10-25', () => {
    const day = { start: at('2026-10-25T02:00:00Z'), end: at('2026-10-26T02:00:00Z') }
    expect(dayOf('Europe/Berlin', at('2026-10-25T12:00:00Z'), 3 * 3_600_000)).toEqual(day)
    expect(dayOf('Europe/Berlin', at('2026-10-25T01:30:00Z'), 3 * 3_600_000).end).toBe(day.start)
  })

  test('starts when its start comes first, where it comes twice: Europe/Berlin 2026-10-25', () => {
    const day = span('2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z')
    expect(dayOf('Europe/Berlin', at('2026-10-25T00:30:00Z'), from0230)).toEqual(day)
    // 02:15 for the second time.
    expect(dayOf('Europe/Berlin', at('2026-10-25T01:15:00Z'), from0230)).toEqual(day)
  })

  test('is there though its start is left out together with the rest of its date: America/Nuuk', () => {
    // 2026-03-28 goes from 23:00 to 24:00 at once.
    const day = span('2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z')
    expect(dayOf('America/Nuuk', at('2026-03-29T01:00:00Z'), 23.5 * HOUR)).toEqual(day)
    expect(dayOf('America/Nuuk', at('2026-03-29T00:59:59Z'), 23.5 * HOUR).end).toBe(day.start)
  })

  test('is not for a date that was left out: its night belongs to the day before', () => {
    const day = span('2011-12-29T14:00:00Z', '2011-12-30T14:00:00Z')
    expect(dayOf('Pacific/Apia', at('2011-12-30T09:59:59Z'), from4)).toEqual(day)
    expect(dayOf('Pacific/Apia', at('2011-12-30T10:00:00Z'), from4)).toEqual(day)
    expect(dayOf('Pacific/Apia', day.end, from4)).toEqual({ start: day.end, end: day.end + DAY })
  })
})

describe('weeks and months', () => {
  const week = (zone: string, text: string) => new CalendarWindows('week', zone).spanOf(at(text))
  const month = (zone: string, text: string) => new CalendarWindows('month', zone).spanOf(at(text))

  test('a week goes from Monday to Monday', () => {
    const monday = span('2026-11-08T16:00:00Z', '2026-11-15T16:00:00Z')
    expect(week('Asia/Shanghai', '2026-11-08T16:00:00Z')).toEqual(monday)
    expect(week('Asia/Shanghai', '2026-11-15T15:59:59.999Z')).toEqual(monday)
    expect(week('UTC', '1969-12-31T00:00:00Z')).toEqual(span('1969-12-29', '1970-01-05'))
  })

  test('has its 23- or 25-hour day, or one day less', () => {
    const hours = ({ start, end }: { start: number; end: number }) => (end - start) / HOUR
    expect(hours(week('Europe/Berlin', '2026-10-20T00:00:00Z'))).toBe(7 * 24 + 1)
    expect(hours(month('Europe/Berlin', '2026-03-15T00:00:00Z'))).toBe(31 * 24 - 1)
    expect(hours(week('Pacific/Apia', '2011-12-28T00:00:00Z'))).toBe(6 * 24)
    expect(hours(month('Pacific/Apia', '2011-12-28T00:00:00Z'))).toBe(30 * 24)
  })

  test('a month goes from the first to the first, through leap years and new years', () => {
    expect(month('UTC', '2028-02-29T23:59:59Z')).toEqual(span('2028-02-01', '2028-03-01'))
    expect(month('UTC', '2026-12-31T23:59:59Z')).toEqual(span('2026-12-01', '2027-01-01'))
    expect(month('Asia/Shanghai', '2026-01-31T16:00:00Z')).toEqual(
      span('2026-01-31T16:00:00Z', '2026-02-28T16:00:00Z'),
    )
  })

  test('by a business day from 04:00 begin at 04:00', () => {
    const from4 = new CalendarWindows('month', 'UTC', 4 * HOUR)
    expect(from4.spanOf(at('2026-03-01T03:59:59Z'))).toEqual(
      span('2026-02-01T04:00:00Z', '2026-03-01T04:00:00Z'),
    )
  })
})

describe('windows that were cut before', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('are computed once, also where two of one UTC day take turns', () => {
    const days = new CalendarWindows('day', 'Asia/Shanghai')
    const midnight = at('2026-11-10T16:00:00Z')
    const before = days.spanOf(midnight - 1)
    const after = days.spanOf(midnight)
    expect(before.end).toBe(midnight)
    expect(days.spanOf(midnight - 2)).toBe(before)
    expect(days.spanOf(midnight + 1)).toBe(after)
  })

  test('stay right when the cache is full', () => {
    const days = new CalendarWindows('day', 'Asia/Shanghai')
    const first = days.spanOf(0)
    for (let day = 1; day <= 4_097; day++) days.spanOf(day * DAY)
    expect(days.spanOf(2)).toEqual(first)
    expect(days.spanOf(2)).not.toBe(first)
  })

  test('do not depend on the day on which they are cut', () => {
    // Shanghai had no clock changes from 1949 to 1986; a zone library that looks ahead from today does not see far.
    vi.useFakeTimers({ now: at('1975-01-01T00:00:00Z') })
    const days = new CalendarWindows('day', 'Asia/Shanghai')
    days.spanOf(at('1980-01-01T00:00:00Z'))
    expect(days.spanOf(at('1986-07-01T00:00:00Z'))).toEqual(
      span('1986-06-30T15:00:00Z', '1986-07-01T15:00:00Z'),
    )
  })
})

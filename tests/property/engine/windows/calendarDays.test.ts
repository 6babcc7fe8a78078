import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CalendarDays, localDay } from '../../../../server/engine/windows/calendarDays'

/** Zones that have done strange things: across midnight, by half an hour, by a whole day. */
const ZONES = [
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'America/Asuncion',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Apia',
  'Pacific/Kiritimati',
]
const instant = fc.integer({ min: Date.parse('1987-01-01'), max: Date.parse('2037-01-01') })
/** Within an hour of a clock change of St. John's, at which a day used to overlap the next. */
const seam = fc
  .integer({ min: -3_600_000, max: 3_600_000 })
  .map((d) => Date.parse('2010-11-07T02:31:00Z') + d)

function isPart(ts: number, zone: string): void {
  const day = localDay(ts, zone)
  expect(day.start).toBeLessThanOrEqual(ts)
  expect(day.end).toBeGreaterThan(ts)
  expect(localDay(day.start, zone)).toEqual(day)
  expect(localDay(day.end - 1, zone)).toEqual(day)
  expect(localDay(day.end, zone).start).toBe(day.end)
  expect(localDay(day.start - 1, zone).end).toBe(day.start)
}

describe('the days of any zone', () => {
  test('cut time into parts: no gap, no overlap', () => {
    fc.assert(
      fc.property(instant, fc.constantFrom(...ZONES), (ts, zone) => isPart(ts, zone)),
      {
        numRuns: 400,
        examples: [[Date.parse('2010-11-07T03:00:00Z'), 'America/St_Johns']],
      },
    )
  })

  test('cut time into parts where a clock is set back across midnight', () => {
    fc.assert(
      fc.property(seam, (ts) => isPart(ts, 'America/St_Johns')),
      { numRuns: 100 },
    )
  })

  test('are the same from the cache, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(instant, seam), { maxLength: 60 }),
        fc.constantFrom(...ZONES),
        (times, zone) => {
          const days = new CalendarDays(zone)
          for (const ts of [...times, ...times]) expect(days.spanOf(ts)).toEqual(localDay(ts, zone))
        },
      ),
      { numRuns: 40 },
    )
  })
})

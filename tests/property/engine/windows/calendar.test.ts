import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CalendarWindows } from '../../../../server/engine/windows/calendar'
import { FROM, type Start, startsOf, stretchesOf, TO, type Unit, wallReader } from './zoneTable'

const MINUTE = 60_000
const DAY = 86_400_000
const UNITS: readonly Unit[] = ['day', 'week', 'month']
/** Minutes from a change of the clock, the hard one first: it is not yet answered from the cache. */
const AROUND = [1, 0, 29, 59, 61, 90, 150, 239, 240, -1, -90]
const DAY_STARTS = [0, 4 * 60 * MINUTE, 150 * MINUTE]

/** Zones that left out one date between 1980 and 2040. */
const DATE_LINE = ['Pacific/Apia', 'Pacific/Fakaofo', 'Pacific/Kiritimati', 'Pacific/Kwajalein']
/** The others: everyday ones, and those that did strange things: across midnight, by 20 minutes to 3 hours, at 23:00. */
const OTHERS = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Africa/Johannesburg',
  'America/Anchorage',
  'America/Asuncion',
  'America/Caracas',
  'America/Havana',
  'America/Los_Angeles',
  'America/Mexico_City',
  'America/New_York',
  'America/Nuuk',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/Scoresbysund',
  'America/St_Johns',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Amman',
  'Asia/Beirut',
  'Asia/Damascus',
  'Asia/Gaza',
  'Asia/Hebron',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Pyongyang',
  'Asia/Shanghai',
  'Asia/Tehran',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/Istanbul',
  'Europe/London',
  'Europe/Moscow',
  'Pacific/Chatham',
  'UTC',
]
const ZONES = [...DATE_LINE, ...OTHERS]

/** Walks from window to window and says the first one that is not as expected, or null. */
function firstWrong(windows: CalendarWindows, expected: readonly Start[]): unknown {
  for (let i = 0; i + 1 < expected.length; i++) {
    const start = expected[i]?.start ?? 0
    const end = expected[i + 1]?.start ?? 0
    for (const instant of [start, end - 1]) {
      const span = windows.spanOf(instant)
      if (span.start !== start || span.end !== end) return { instant, span, expected: { start, end } }
    }
  }
  return null
}

/** The window that holds an instant. */
function expectedAt(starts: readonly Start[], instant: number): { start?: number; end?: number } {
  let [begun, not] = [0, starts.length]
  while (not - begun > 1) {
    const middle = (begun + not) >> 1
    if ((starts[middle]?.start ?? 0) <= instant) begun = middle
    else not = middle
  }
  return { start: starts[begun]?.start, end: starts[not]?.start }
}

describe.each(ZONES)('the calendar windows of %s from 1980 to 2040', (zone) => {
  const stretches = stretchesOf(zone)

  test('cut time without gap or overlap, where its clock says', () => {
    for (const unit of UNITS) {
      for (const dayStart of DAY_STARTS) {
        const expected = startsOf(stretches, unit, dayStart)
        expect(firstWrong(new CalendarWindows(unit, zone, dayStart), expected), unit).toBeNull()
      }
    }
  })

  test('hold the hours around every change of the clock, also those that come twice', () => {
    const changes = stretches.slice(1, -1).map(({ from }) => from)
    const instants = changes
      .filter((change) => change > FROM + 31 * DAY && change < TO - 31 * DAY)
      .flatMap((change) => AROUND.map((minutes) => change + minutes * MINUTE))
    for (const unit of UNITS) {
      for (const dayStart of DAY_STARTS) {
        const starts = startsOf(stretches, unit, dayStart)
        const windows = new CalendarWindows(unit, zone, dayStart)
        const wrong = instants.filter((instant) => {
          const { start, end } = windows.spanOf(instant)
          const expected = expectedAt(starts, instant)
          return start !== expected.start || end !== expected.end
        })
        expect(wrong, unit).toEqual([])
      }
    }
  })

  test('begin on the date that its wall clock shows, at which it had not been a moment before', () => {
    const wallAt = wallReader(zone)
    const windows = new CalendarWindows('day', zone)
    const wrong = startsOf(stretches, 'day', 0).filter(({ start, date }) => {
      const span = windows.spanOf(start)
      const shown = wallAt(span.start)
      return shown < date || shown >= date + DAY || wallAt(span.start - 1) >= date
    })
    expect(wrong).toEqual([])
  })

  test('have a day for every date but those that it left out, each at a quarter of an hour', () => {
    const days = startsOf(stretches, 'day', 0)
    const leftOut = days.filter(({ date }, i) => date !== (days[i - 1]?.date ?? date - DAY) + DAY)
    expect(leftOut).toHaveLength(DATE_LINE.includes(zone) ? 1 : 0)
    expect(days.filter(({ start }) => start % (15 * MINUTE) !== 0)).toEqual([])
  })
})

describe('calendar windows from the cache', () => {
  const instant = fc.integer({ min: FROM + 31 * DAY, max: TO - 31 * DAY })
  /** Near each other and near a cut, so that windows of one UTC day take turns. */
  const close = fc
    .tuple(
      instant,
      fc.array(fc.integer({ min: -30 * 60 * MINUTE, max: 30 * 60 * MINUTE }), { maxLength: 30 }),
    )
    .map(([t, steps]) => steps.map((step) => t + step))

  test('are the same in whatever order they are asked for', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom(...UNITS),
        fc.constantFrom(...DAY_STARTS),
        fc.oneof(fc.array(instant, { maxLength: 60 }), close),
        (zone, unit, dayStart, times) => {
          const starts = startsOf(stretchesOf(zone), unit, dayStart)
          const windows = new CalendarWindows(unit, zone, dayStart)
          for (const t of [...times, ...times.toReversed()]) {
            expect(windows.spanOf(t)).toEqual(expectedAt(starts, t))
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

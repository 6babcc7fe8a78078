import type { CalendarSpec } from '../../../server/contracts/windowSpec'

/*
 * Calendar days, weeks and months by brute force: the wall clock of every quarter of an hour of 20 months, as Intl
 * writes it, and a window begins at each quarter whose day (week, month) is another than that of the one before.
 * All zones on earth change their clocks at a quarter of an hour.
 */
const QUARTER = 900_000
const DAY = 86_400_000
const FROM = Date.UTC(2025, 10, 20)
const TO = Date.UTC(2027, 7, 1)

const walls = new Map<string, number[]>()
const firsts = new Map<string, number[]>()

/** The calendar window of an instant. Throws RangeError outside of 2025-11-20 to 2027-08-01. */
export function calendarSpan(window: CalendarSpec, t: number): { start: number; end: number } {
  const instants = boundaries(window)
  let least = 0
  let most = instants.length
  while (most - least > 1) {
    const middle = (least + most) >> 1
    if ((instants[middle] ?? t) <= t) least = middle
    else most = middle
  }
  const [start, end] = [instants[least], instants[least + 1]]
  if (start === undefined || end === undefined || t < start)
    throw new RangeError(`outside of the table: ${t}`)
  return { start, end }
}

function boundaries(window: CalendarSpec): number[] {
  const name = JSON.stringify(window)
  const known = firsts.get(name)
  if (known) return known
  const [hours = 0, minutes = 0] = window.dayStart.split(':').map(Number)
  const dayStart = (hours * 60 + minutes) * 60_000
  const found: number[] = []
  let last: number | undefined
  wallsOf(window.zone).forEach((wall, i) => {
    const now = periodOf(window.unit, Math.floor((wall - dayStart) / DAY))
    // The first window of the table may have begun before it.
    if (last !== undefined && now !== last) found.push(FROM + i * QUARTER)
    last = now
  })
  firsts.set(name, found)
  return found
}

/** Number of the day, week (from Monday; 1970-01-01 was a Thursday) or month that a local date lies in. */
function periodOf(unit: CalendarSpec['unit'], date: number): number {
  if (unit === 'day') return date
  if (unit === 'week') return Math.floor((date + 3) / 7)
  const first = new Date(date * DAY)
  return first.getUTCFullYear() * 12 + first.getUTCMonth()
}

/** What the clock on the wall has shown at most so far, as if it were UTC: an hour that comes twice is one day's. */
function wallsOf(zone: string): number[] {
  const known = walls.get(zone)
  if (known) return known
  const number = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', ...number })
  const list: number[] = []
  let most = Number.NEGATIVE_INFINITY
  for (let t = FROM; t < TO; t += QUARTER) {
    const part = new Map(format.formatToParts(t).map((p) => [p.type, Number(p.value)]))
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = Object.fromEntries(part)
    most = Math.max(most, Date.UTC(year, month - 1, day, hour, minute))
    list.push(most)
  }
  walls.set(zone, list)
  return list
}

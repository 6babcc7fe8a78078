/*
 * A zone's clock by another road than the engine's: offsets as Intl writes them, looked at every twelve hours and
 * narrowed down to the second, and calendar windows said as what they are instead of as how they are found.
 */
const DAY = 86_400_000
const WEEK = 7 * DAY
const LOOK_EVERY = DAY / 2
export const FROM = Date.UTC(1980, 0, 1)
export const TO = Date.UTC(2041, 0, 1)

export type Unit = 'day' | 'week' | 'month'

/** `[from, to)` of one offset; ms. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
}

/** Start of a window, and the local date (its midnight on the wall clock) that it is the business day of. */
export interface Start {
  readonly start: number
  readonly date: number
}

/** Reads a zone's wall clock, to the second, as ms as if it were UTC. */
export function wallReader(zone: string): (instant: number) => number {
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...date, ...time })
  return (instant) => {
    const numbers = format.format(instant).match(/\d+/g)?.map(Number) ?? []
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = numbers
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
}

const known = new Map<string, readonly Stretch[]>()

/** A zone's offsets from 1980 to 2040 and a fortnight on both sides. */
export function stretchesOf(zone: string): readonly Stretch[] {
  const stretches = known.get(zone) ?? findStretches(zone)
  known.set(zone, stretches)
  return stretches
}

function findStretches(zone: string): Stretch[] {
  const wallAt = wallReader(zone)
  const offsetAt = (instant: number) => wallAt(instant) - instant
  const stretches: Stretch[] = []
  let from = FROM - 2 * WEEK
  let offset = offsetAt(from)
  for (let look = from; look < TO + 2 * WEEK; look += LOOK_EVERY) {
    if (offsetAt(look + LOOK_EVERY) === offset) continue
    const change = firstOther(look, look + LOOK_EVERY, (t) => offsetAt(t) === offset)
    stretches.push({ from, to: change, offset })
    from = change
    offset = offsetAt(change)
    if (offsetAt(look + LOOK_EVERY) !== offset) throw new RangeError(`${zone} changes twice within a day`)
  }
  return [...stretches, { from, to: Number.POSITIVE_INFINITY, offset }]
}

/** First whole second in `(from, to]` at which `same` no longer holds. */
function firstOther(from: number, to: number, same: (instant: number) => boolean): number {
  let [still, other] = [from, to]
  while (other - still > 1_000) {
    const middle = Math.floor((still + other) / 2_000) * 1_000
    if (same(middle)) still = middle
    else other = middle
  }
  return other
}

/** All windows from the first in 1980 to the first of 2041. `dayStart` in ms on the wall clock. */
export function startsOf(stretches: readonly Stretch[], unit: Unit, dayStart: number): Start[] {
  const starts: Start[] = []
  let period = Number.NaN
  let near = 0
  for (let date = FROM - WEEK; date < TO + WEEK; date += DAY) {
    while ((stretches[near]?.to ?? 0) < date - 2 * DAY) near++
    const around = stretches.slice(near, near + 8).filter((s) => s.from < date + 3 * DAY)
    if (!around.some((s) => s.from + s.offset < date + DAY && s.to + s.offset > date)) continue
    const here = periodOf(unit, date)
    if (here !== period) starts.push({ start: reached(around, date + dayStart), date })
    period = here
  }
  // The first may have begun before the table.
  return starts.slice(1)
}

/** Number of the day, week (from Monday; 1970-01-01 was a Thursday) or month that a date lies in. */
function periodOf(unit: Unit, date: number): number {
  const day = date / DAY
  if (unit === 'day') return day
  if (unit === 'week') return Math.floor((day + 3) / 7)
  const utc = new Date(date)
  return utc.getUTCFullYear() * 12 + utc.getUTCMonth()
}

/** The first of all instants at which the clock shows `wall`, or is put forward from before it to after it. */
function reached(stretches: readonly Stretch[], wall: number): number {
  const instants = stretches.flatMap(({ from, to, offset }, i) => {
    const shown = wall - offset
    const before = stretches[i - 1]
    const jumps = before && from + before.offset <= wall && wall <= from + offset
    return [...(from <= shown && shown < to ? [shown] : []), ...(jumps ? [from] : [])]
  })
  return Math.min(...instants)
}

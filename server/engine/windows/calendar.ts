import { Temporal } from 'temporal-polyfill'
import type { CalendarSpec } from '../../contracts/windowSpec'
import type { Span } from './span'
import { WallClock } from './wallClock'

const DAY = 86_400_000
/** UTC days whose windows are kept. */
const MOST_CACHED = 4_096
/** ms of wall clock that lead from the first date of a day, week or month into the next one. */
const LONGEST = { day: DAY, week: 7 * DAY, month: 31 * DAY } as const
/** A Monday: 1970-01-05. */
const MONDAY = 4 * DAY

/**
 * Local days, weeks from Monday or months of a zone, by a business day that begins at `dayStart` on the wall clock
 * (semantics.md §4; field case 20). A window goes from the first instant of its first day to that of the next
 * window's, so days of 23 and 25 hours are as long as they are. Days are cut at *first* instants: where a clock is
 * set back across the cut, the repeated evening belongs to tomorrow, which has begun (St. John's, 2010-11-07 00:01),
 * and no two days overlap. A date that a zone left out (Samoa, 2011-12-30) has no window; with it as the first of its
 * week or month, the next date begins that.
 * Windows are cut once and kept by UTC day: to format each event would cost 5 µs.
 */
export class CalendarWindows {
  readonly #unit: CalendarSpec['unit']
  readonly #clock: WallClock
  readonly #dayStart: number
  #last: Span = { start: 0, end: 0 }
  /** All windows found so far that hold a part of a UTC day: around local midnight events alternate between two. */
  readonly #known = new Map<number, Span[]>()

  /** `dayStart` in ms on the wall clock, from 0 to below a day. */
  constructor(unit: CalendarSpec['unit'], zone: string, dayStart = 0) {
    this.#unit = unit
    this.#clock = new WallClock(zone)
    this.#dayStart = dayStart
  }

  /**
   * The window that holds an instant in ms. Throws RangeError for an unknown zone, which a checked spec does not name,
   * and outside of the years ±271,000, which the guards at the edge keep away.
   */
  spanOf(instant: number): Span {
    const last = this.#last
    if (last.start <= instant && instant < last.end) return last
    this.#last = this.#find(instant)
    return this.#last
  }

  #find(instant: number): Span {
    const utcDay = Math.floor(instant / DAY)
    const known = this.#known.get(utcDay)
    for (const span of known ?? []) if (span.start <= instant && instant < span.end) return span
    const span = this.#cut(instant)
    if (known) known.push(span)
    else {
      if (this.#known.size >= MOST_CACHED) this.#known.clear()
      this.#known.set(utcDay, [span])
    }
    return span
  }

  #cut(instant: number): Span {
    let date = this.#firstDateOf(this.#clock.wallAt(instant) - this.#dayStart)
    let start = this.#startOf(date)
    // The wall shows a date that was left out: hours before `dayStart`, right after it.
    while (start > instant) {
      date = this.#firstDateOf(date - DAY)
      start = this.#startOf(date)
    }
    for (;;) {
      date = this.#firstDateOf(date + LONGEST[this.#unit])
      const end = this.#startOf(date)
      if (end > instant) return { start, end }
      // The wall shows yesterday for the second time: today has begun.
      start = end
    }
  }

  /** First date of the day, week or month that `wall` lies in. Dates are ms of their midnight on the wall clock. */
  #firstDateOf(wall: number): number {
    switch (this.#unit) {
      case 'day':
        return Math.floor(wall / DAY) * DAY
      case 'week':
        return Math.floor((wall - MONDAY) / (7 * DAY)) * 7 * DAY + MONDAY
      case 'month':
        return firstOfMonth(wall)
    }
  }

  /** First instant of the business day of `date`, or of the next one that exists. */
  #startOf(date: number): number {
    let existing = date
    while (!this.#exists(existing)) existing += DAY
    return this.#clock.firstAt(existing + this.#dayStart)
  }

  /** Whether the wall clock ever shows the date. */
  #exists(date: number): boolean {
    return this.#clock.wallAt(this.#clock.firstAt(date)) < date + DAY
  }
}

function firstOfMonth(wall: number): number {
  const date = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDate()
  return date.with({ day: 1 }).toZonedDateTime('UTC').epochMilliseconds
}

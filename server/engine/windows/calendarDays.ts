import { Temporal } from 'temporal-polyfill'
import type { Span } from './span'

const MOST_CACHED = 4_096

/**
 * Local days of a zone: from the first instant of a day to the first instant of the next existing one, so days of
 * 23 and 25 hours are as long as they are (semantics.md §4; field case 20). Boundaries are computed once a day by
 * Temporal and kept: formatting for each event would cost 5 µs.
 */
export class CalendarDays {
  #zone: string
  #last: Span = { start: 0, end: 0 }
  /** By UTC day number; a UTC day touches at most three local days, so a hit is checked before it is used. */
  #known = new Map<number, Span>()

  constructor(zone: string) {
    this.#zone = zone
  }

  spanOf(eventTime: number): Span {
    if (contains(this.#last, eventTime)) return this.#last
    const utcDay = Math.floor(eventTime / 86_400_000)
    const known = this.#known.get(utcDay)
    if (known && contains(known, eventTime)) {
      this.#last = known
      return known
    }
    const span = localDay(eventTime, this.#zone)
    if (this.#known.size >= MOST_CACHED) this.#known.clear()
    this.#known.set(utcDay, span)
    this.#last = span
    return span
  }
}

function contains(span: Span, eventTime: number): boolean {
  return span.start <= eventTime && eventTime < span.end
}

/** The local day that holds an instant. Throws RangeError for an unknown zone; a spec is checked before. */
export function localDay(eventTime: number, zone: string): Span {
  const local = Temporal.Instant.fromEpochMilliseconds(eventTime).toZonedDateTimeISO(zone)
  let start = local.startOfDay().epochMilliseconds
  const date = local.toPlainDate()
  // A clock set back across midnight repeats an evening after tomorrow has begun (St. John's, 2010-11-07 00:01):
  // days are cut at first instants, so the repeated hour belongs to tomorrow and no two days overlap.
  for (let days = 1; ; days++) {
    const end = date.add({ days }).toZonedDateTime(zone).startOfDay().epochMilliseconds
    if (end > eventTime) return { start, end }
    start = end
  }
}

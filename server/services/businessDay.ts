import { Temporal } from 'temporal-polyfill'

/** `[start, end)` of a local day, ms. */
export interface BusinessDay {
  readonly start: number
  readonly end: number
}

/**
 * The local day of a zone that holds an instant: from its first instant to that of the next existing day, so days of
 * 23 and 25 hours are as long as they are (semantics.md §4). The engine cuts days by the same rule; a test compares.
 */
export function businessDay(now: number, zone: string): BusinessDay {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  const date = local.toPlainDate()
  let start = local.startOfDay().epochMilliseconds
  // A clock set back across midnight repeats an evening after tomorrow has begun (St. John's, 2010-11-07 00:01).
  for (let days = 1; ; days++) {
    const end = date.add({ days }).toZonedDateTime(zone).startOfDay().epochMilliseconds
    if (end > now) return { start, end }
    start = end
  }
}

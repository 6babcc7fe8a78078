import { Temporal } from 'temporal-polyfill'

/** `[start, end)` of a local day, ms. */
export interface BusinessDay {
  readonly start: number
  readonly end: number
}

/**
 * The local day of a zone that holds an instant: from its first instant to that of the next existing day, so days of
 * 23 and 25 hours are as long as they are (semantics.md §4).
 */
export function businessDay(now: number, zone: string): BusinessDay {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  const date = local.toPlainDate()
  // A zone may skip a whole date (Samoa, 2011-12-30): "tomorrow" then starts when this day does, so look further.
  for (let days = 1; ; days++) {
    const end = date.add({ days }).toZonedDateTime(zone).startOfDay().epochMilliseconds
    if (end > now) return { start: local.startOfDay().epochMilliseconds, end }
  }
}

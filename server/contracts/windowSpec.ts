import { z } from 'zod'
import { Duration, PositiveDuration } from './duration'
import { strictObject, whenFieldsAreRight } from './strictObject'

/** Windows that one event may belong to at most (semantics.md §4). */
export const MOST_WINDOWS = 1_440
/** A calendar day as a rule; what is said of it before its zone's clock changes are looked at goes by this. ms. */
const DAY = 86_400_000

/** Whether a name is an IANA time zone. Offsets such as +08:00 are none: newer runtimes would take them, older not. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const Zone = z.string().refine(isZone, { message: 'not an IANA time zone, such as Asia/Shanghai' })

const offsetInSize = {
  check: (w: { size: number; offset: number }) => Math.abs(w.offset) < w.size,
  params: { path: ['offset'], message: '|offset| must be less than size', ...whenFieldsAreRight },
}

const Tumbling = strictObject({
  kind: z.literal('tumbling'),
  size: PositiveDuration,
  offset: Duration.default(0),
}).refine(offsetInSize.check, offsetInSize.params)

/** Wall-clock time of day, to the minute. */
const DayStart = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 04:00, from 00:00 to 23:59')

const Calendar = strictObject({
  kind: z.literal('calendar'),
  /** Weeks begin on Monday. */
  unit: z.enum(['day', 'week', 'month']),
  zone: Zone,
  /** Wall-clock time at which the business day begins. */
  dayStart: DayStart.default('00:00'),
})

const Sliding = strictObject({
  kind: z.literal('sliding'),
  size: PositiveDuration,
  slide: PositiveDuration,
  offset: Duration.default(0),
})
  .refine((w) => w.slide <= w.size, {
    path: ['slide'],
    message: 'must not be more than size: events between two windows would be in none',
    ...whenFieldsAreRight,
  })
  .refine(offsetInSize.check, offsetInSize.params)
  .refine(
    (w) => w.size / w.slide <= MOST_WINDOWS,
    tooManyWindows('slide', 'make slide larger, or size smaller'),
  )

/** Windows that all begin where `within` begins and end one `step` later each, up to its end. */
const Cumulate = strictObject({
  kind: z.literal('cumulate'),
  step: PositiveDuration,
  within: z.discriminatedUnion('kind', [
    Tumbling,
    Calendar.extend({
      unit: z.literal('day', 'a cumulate window goes up to a day; week and month are too many steps'),
    }),
  ]),
})
  .refine((w) => w.step <= spanOf(w), {
    path: ['step'],
    message: 'must not be more than what it adds up to',
    ...whenFieldsAreRight,
  })
  .refine((w) => w.within.kind !== 'tumbling' || w.within.size % w.step === 0, {
    path: ['step'],
    message: 'must divide the size that it adds up to',
    ...whenFieldsAreRight,
  })
  .refine((w) => spanOf(w) / w.step <= MOST_WINDOWS, tooManyWindows('step', 'make step larger'))

function tooManyWindows(field: string, remedy: string) {
  const most = MOST_WINDOWS.toLocaleString('en-US')
  const message = `an event would be in more than ${most} windows: ${remedy}`
  return { path: [field], message, ...whenFieldsAreRight }
}

function spanOf(window: { within: { kind: 'tumbling'; size: number } | { kind: 'calendar' } }): number {
  return window.within.kind === 'tumbling' ? window.within.size : DAY
}

/** A key's events, no two neighbours of which are more than `gap` apart. */
const Session = strictObject({ kind: z.literal('session'), gap: PositiveDuration })

/** How a view cuts time (semantics.md §4). Durations are ms. */
export const WindowSpec = z.discriminatedUnion('kind', [Tumbling, Sliding, Cumulate, Calendar, Session])
export type WindowSpec = z.infer<typeof WindowSpec>
export type TumblingSpec = z.infer<typeof Tumbling>
export type CalendarSpec = z.infer<typeof Calendar>
export type SlidingSpec = z.infer<typeof Sliding>
export type CumulateSpec = z.infer<typeof Cumulate>
export type SessionSpec = z.infer<typeof Session>

/** A `dayStart` as ms on the wall clock. */
export function dayStartMs(dayStart: string): number {
  const [hours = 0, minutes = 0] = dayStart.split(':').map(Number)
  return (hours * 60 + minutes) * 60_000
}

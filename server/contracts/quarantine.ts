/** Why an event was set aside at the edge (design.md §3). The text beside a code says what, where and how to mend it. */
export const QUARANTINE_CODES = [
  'missing_field',
  'wrong_type',
  'amount_invalid',
  'currency_unknown',
  'timestamp_invalid',
  'looks_like_seconds',
  'looks_like_microseconds',
  'looks_like_nanoseconds',
  'timezone_missing',
  'future_timestamp',
  'too_old',
  'too_long',
  'unknown_field',
] as const

export type QuarantineCode = (typeof QUARANTINE_CODES)[number]

/** One event, or one mark, that failed its check. `raw` is its text as received, cut at 16 KiB (`cut` says so). */
export interface Rejected {
  /** Place in the request, from 0. */
  readonly index: number
  readonly source: string
  readonly eventId: string | null
  readonly code: QuarantineCode
  /** The field at fault as the producer named it, or null when the whole event is. */
  readonly field: string | null
  readonly message: string
  readonly raw: string
  readonly cut: boolean
}

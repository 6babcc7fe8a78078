import { clockOf } from '@/app/lib/format/time'
import type { QuarantineCode, Rejected } from '@/server/contracts/quarantine'

/** The codes as a person says them; the message beside them says what, where and how to mend it. */
const WORDS: Record<QuarantineCode, string> = {
  missing_field: 'A field is missing',
  wrong_type: 'A field has the wrong type',
  amount_invalid: 'The amount cannot be read',
  currency_unknown: 'Unknown currency',
  timestamp_invalid: 'The time cannot be read',
  looks_like_seconds: 'The time looks like seconds',
  looks_like_microseconds: 'The time looks like microseconds',
  looks_like_nanoseconds: 'The time looks like nanoseconds',
  timezone_missing: 'The time has no time zone',
  future_timestamp: 'From the future',
  too_old: 'Too old',
  too_long: 'Too long',
  unknown_field: 'An unknown field',
}

export interface QuarantineLine {
  readonly key: string
  readonly source: string
  readonly eventId: string | null
  readonly reason: string
  readonly code: QuarantineCode
  readonly message: string
  readonly received: string
  readonly raw: string
  readonly cut: boolean
}

interface Quarantined extends Rejected {
  readonly receivedAt: number
  readonly position: number
}

export function prepareQuarantine(
  rows: readonly Quarantined[],
  zone: string,
  now: number,
): readonly QuarantineLine[] {
  return rows.map((row) => ({
    key: `${row.position}/${row.index}`,
    source: row.source,
    eventId: row.eventId,
    reason: WORDS[row.code],
    code: row.code,
    message: row.message,
    received: clockOf(zone).instant(row.receivedAt, now),
    raw: row.raw,
    cut: row.cut,
  }))
}

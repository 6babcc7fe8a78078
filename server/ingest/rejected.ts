import { LIMITS } from '../contracts/limits'
import type { Rejected } from '../contracts/quarantine'
import type { Flaw } from './flaw'
import { storable } from './flaw'
import type { SourceRules } from './sourceRules'
import { checkText } from './textField'

/**
 * A flawed event as the quarantine keeps it: raw text cut at 16 KiB of UTF-8 (`cut` says so; such an event cannot be
 * sent again from there). What Postgres cannot hold (NUL in a broken line) stands as U+FFFD.
 */
export function toRejected(
  index: number,
  value: unknown,
  flaw: Flaw,
  raw: string,
  rules: SourceRules,
): Rejected {
  const bytes = Buffer.from(storable(raw))
  const cut = bytes.length > LIMITS.eventBytes
  return {
    index,
    source: rules.source,
    eventId: idOf(value, rules),
    code: flaw.code,
    field: flaw.field,
    message: flaw.message,
    raw: cut ? bytes.toString('utf8', 0, characterEnd(bytes, LIMITS.eventBytes)) : storable(raw),
    cut,
  }
}

/** The last end of a UTF-8 character at or before `end`: a continuation byte is 10xxxxxx. */
function characterEnd(bytes: Buffer, end: number): number {
  let at = end
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}

/** The event's id, where it has one that can be kept, so that the producer finds the event again. */
function idOf(value: unknown, rules: SourceRules): string | null {
  if (typeof value !== 'object' || value === null) return null
  const id = (value as Readonly<Record<string, unknown>>)[rules.fields.eventId]
  if (typeof id !== 'string' || id === '') return null
  return typeof checkText(id, rules.fields.eventId, LIMITS.idChars) === 'string' ? id : null
}

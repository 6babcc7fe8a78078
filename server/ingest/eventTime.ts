import type { QuarantineCode } from '../contracts/quarantine'
import { Flaw, show } from './flaw'
import { parseIso } from './isoTime'
import type { SourceRules } from './sourceRules'

type Unit = SourceRules['unit']

/** The last instant that a date can name (ECMAScript), ms. */
const LAST_DATE = 8.64e15
/** A number of today's instants has this many digits, by unit; the guard of semantics.md §2 goes by it. */
const DIGITS_OF: ReadonlyMap<number, Unit> = new Map([
  [10, 's'],
  [13, 'ms'],
  [16, 'us'],
  [19, 'ns'],
])
const NAME: Record<Unit, string> = { s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' }
/** There is no code of its own for milliseconds: they are what is taken unless a source says otherwise. */
const LOOKS_LIKE: Record<Unit, QuarantineCode> = {
  s: 'looks_like_seconds',
  ms: 'timestamp_invalid',
  us: 'looks_like_microseconds',
  ns: 'looks_like_nanoseconds',
}

/**
 * Reads an event time as ms since the epoch: a number in the source's unit, or ISO 8601 with offset (design.md §3;
 * unit guard: semantics.md §2). Finer units are floored to ms. Decided here: seconds may carry a fraction (what
 * Python's time.time() writes); micro- and nanoseconds may come as a string of digits, because 19 digits do not
 * survive a JSON number (it is then exact only to 128 ns, before flooring). `meaning` says what a missing one is.
 */
export function readEventTime(
  value: unknown,
  field: string,
  unit: Unit,
  meaning = 'when the order happened',
): number | Flaw {
  if (typeof value === 'number') return readNumber(value, field, unit)
  if (typeof value === 'string') return readText(value, field, unit)
  if (value === undefined || value === null) {
    return new Flaw('missing_field', field, `${field} is missing: send ${meaning}, ${taken(unit)}`)
  }
  return new Flaw('wrong_type', field, `${field} is ${show(value)}; send ${taken(unit)}`)
}

function taken(unit: Unit): string {
  return `${NAME[unit]} since 1970 as a number, or ISO 8601 with offset such as "2026-03-01T09:30:00+08:00"`
}

function invalid(value: unknown, field: string, why: string): Flaw {
  return new Flaw('timestamp_invalid', field, `${field} ${show(value)} ${why}`)
}

function readNumber(value: number, field: string, unit: Unit): number | Flaw {
  if (!(value > 0) || value === Number.POSITIVE_INFINITY) {
    return invalid(value, field, `is not a time after 1970: send ${taken(unit)}`)
  }
  if (!Number.isInteger(value)) {
    if (unit === 's') return fractionalSeconds(value, field)
    return invalid(value, field, `has a fraction: send whole ${NAME[unit]}`)
  }
  const looks = DIGITS_OF.get(digitsOf(value))
  if (looks !== undefined && looks !== unit) return wrongUnit(value, field, unit, looks)
  return inRange(toMs(value, unit), value, field)
}

/** Decimal digits of a positive integer, beyond 2^53 too; comparisons, because it runs for every event. */
function digitsOf(value: number): number {
  if (value >= 1e12 && value < 1e13) return 13
  let digits = 1
  for (let next = 10; value >= next && digits < 22; next *= 10) digits++
  return digits
}

/** Whole ms of a positive integer, floored. Remainders of doubles are exact, quotients are not always. */
function toMs(value: number, unit: Unit): number {
  if (unit === 'ms') return value
  if (unit === 's') return value * 1000
  if (unit === 'us') return (value - (value % 1000)) / 1000
  return (value - (value % 1e6)) / 1e6
}

function inRange(ms: number, value: unknown, field: string): number | Flaw {
  if (ms > LAST_DATE) return invalid(value, field, 'is beyond the last date of the calendar: check its unit')
  return ms > 0 ? ms : invalid(value, field, 'is not a time after 1970: check the clock that wrote it')
}

function wrongUnit(value: number, field: string, unit: Unit, looks: Unit): Flaw {
  const mended = convert(value, looks, unit)
  return new Flaw(
    LOOKS_LIKE[looks],
    field,
    `${field} ${value} looks like ${NAME[looks]} (${digitsOf(value)} digits); Tidemark expects ${NAME[unit]}: ` +
      `send ${mended}, or set the source's unit to ${NAME[looks]}`,
  )
}

const PER_SECOND: Record<Unit, bigint> = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n }

/** For messages only. */
function convert(value: number, from: Unit, to: Unit): string {
  return String((BigInt(value) * PER_SECOND[to]) / PER_SECOND[from])
}

/** Exact on the number's shortest text; a product with 1000 would round. */
function fractionalSeconds(value: number, field: string): number | Flaw {
  const match = /^(\d{1,12})\.(\d+)$/.exec(String(value))
  if (!match) return invalid(value, field, 'is not a time in seconds')
  const [, whole = '', part = ''] = match
  return inRange(Number(whole) * 1000 + Number(part.padEnd(3, '0').slice(0, 3)), value, field)
}

function readText(text: string, field: string, unit: Unit): number | Flaw {
  const iso = parseIso(text)
  if (typeof iso === 'number') return inRange(iso, text, field)
  if (iso === 'no_offset') {
    return new Flaw(
      'timezone_missing',
      field,
      `${field} ${show(text)} has no offset, so it names no instant: send it with one, such as "2026-03-01T09:30:00+08:00" or "…Z"`,
    )
  }
  if (iso === 'no_such_time') {
    return invalid(text, field, 'is no time of the calendar (24:00 and leap seconds are not taken): check it')
  }
  return readDigits(text, field, unit)
}

function readDigits(text: string, field: string, unit: Unit): number | Flaw {
  if (!/^[1-9]\d{0,21}$/.test(text)) return invalid(text, field, `is not a time: send ${taken(unit)}`)
  if (unit === 's' || unit === 'ms') return invalid(text, field, 'is text: send the number without quotes')
  const looks = DIGITS_OF.get(text.length)
  if (looks !== undefined && looks !== unit) return wrongUnit(Number(text), field, unit, looks)
  return inRange(Number((BigInt(text) * 1000n) / PER_SECOND[unit]), text, field)
}

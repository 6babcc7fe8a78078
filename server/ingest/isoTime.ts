/** What an ISO 8601 text turned out to be: an instant in ms, or why it is none. */
export type IsoTime = number | 'no_offset' | 'no_such_time' | 'not_iso'

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/

/** The widest offset taken. No zone is beyond +14:00 or -12:00; ±18:00 is what java.time can write. */
const MAX_OFFSET_MINUTES = 18 * 60

/**
 * Reads `YYYY-MM-DDThh:mm[:ss[.fraction]]` with `Z`, `±hh:mm`, `±hhmm` or `±hh` as ms since the epoch. The fraction
 * (up to 9 digits) is floored to ms. Refused: days that the calendar lacks, 24:00, leap seconds (no instant of
 * their own in Unix time), week dates, years of more than 4 digits. design.md §3.
 */
export function parseIso(text: string): IsoTime {
  const match = text.length <= 40 ? ISO.exec(text) : null
  if (!match) return 'not_iso'
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '0', part = '', offset] = match
  if (offset === undefined) return 'no_offset'
  const shift = offsetMinutes(offset)
  const days = daysOf(+year, +month, +day)
  if (days === null || shift === null || +hour > 23 || +minute > 59 || +second > 59) return 'no_such_time'
  const minutes = (days * 24 + +hour) * 60 + +minute - shift
  return (minutes * 60 + +second) * 1000 + +part.padEnd(3, '0').slice(0, 3)
}

function offsetMinutes(offset: string): number | null {
  if (offset.length === 1) return 0
  const hours = +offset.slice(1, 3)
  const minutes = offset.length > 3 ? +offset.slice(-2) : 0
  const total = hours * 60 + minutes
  if (minutes > 59 || total > MAX_OFFSET_MINUTES) return null
  return offset.charCodeAt(0) === 45 ? -total : total
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Days since 1970-01-01, proleptic Gregorian; null when the calendar has no such day. Years 0..9999. */
function daysOf(year: number, month: number, day: number): number | null {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const most = month === 2 && leap ? 29 : MONTH_DAYS[month - 1]
  if (most === undefined || day < 1 || day > most) return null
  // the year begins in March, so that the leap day is its last; 719,468 days lie between 0000-03-01 and 1970-01-01
  const y = month <= 2 ? year - 1 : year
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468
}

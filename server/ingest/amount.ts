import type { EventFields } from '../contracts/eventBatch'
import { MAX_WHOLE_DIGITS, SCALE_DIGITS } from '../contracts/money'
import { Flaw, show } from './flaw'

/** A JSON number is taken up to this many digits: with more, its decimal text is no longer its own (design.md §3). */
const NUMBER_DIGITS = 15
const SCALE = 10 ** SCALE_DIGITS
const BELOW = 10 ** MAX_WHOLE_DIGITS
const ZERO_CHAR = 48
const POINT = 46

/**
 * Reads an amount into the limbs of `out` (contracts/money: value × 10^4 = hi × 10^8 + lo), digit by digit, never
 * through a float. Rules: design.md §3. Decided here: leading zeros ("007") are refused, as in JSON numbers, since
 * a padded or octal field is more often a mapping fault than an amount; `-0` is refused as text and as number.
 */
export function readAmount(value: unknown, field: string, out: EventFields): Flaw | null {
  if (typeof value === 'string') {
    return readDecimal(value, out) ? null : new Flaw('amount_invalid', field, whyText(value, field))
  }
  if (typeof value === 'number') {
    return readNumber(value, out) ? null : new Flaw('amount_invalid', field, whyNumber(value, field))
  }
  if (value === undefined || value === null) {
    return new Flaw('missing_field', field, `${field} is missing: send a decimal string such as "129.90"`)
  }
  return new Flaw('wrong_type', field, `${field} is ${show(value)}; send a decimal string such as "129.90"`)
}

/** The grammar is `(0 | [1-9][0-9]{0,11}) ( "." [0-9]{1,4} )?`, ASCII digits only. False: not of it. */
function readDecimal(text: string, out: EventFields): boolean {
  const point = text.indexOf('.')
  const wholeEnd = point < 0 ? text.length : point
  const decimals = point < 0 ? 0 : text.length - point - 1
  if (wholeEnd === 0 || wholeEnd > MAX_WHOLE_DIGITS || decimals > SCALE_DIGITS) return false
  if ((point >= 0 && decimals === 0) || (wholeEnd > 1 && text.charCodeAt(0) === ZERO_CHAR)) return false
  let whole = 0
  let part = 0
  for (let i = 0; i < text.length; i++) {
    if (i === wholeEnd) continue
    const digit = text.charCodeAt(i) - ZERO_CHAR
    if (digit < 0 || digit > 9) return false
    if (i < wholeEnd) whole = whole * 10 + digit
    else part = part * 10 + digit
  }
  for (let i = decimals; i < SCALE_DIGITS; i++) part *= 10
  setLimbs(whole, part, out)
  return true
}

/** `whole` below 10^12 and `part` below 10^4 are exact integers, and so is every step here. */
function setLimbs(whole: number, part: number, out: EventFields): void {
  const low = whole % SCALE
  out.amountHi = (whole - low) / SCALE
  out.amountLo = low * SCALE + part
}

function readNumber(value: number, out: EventFields): boolean {
  if (Object.is(value, -0)) return false
  if (Number.isInteger(value) && value >= 0 && value < BELOW) {
    setLimbs(value, 0, out)
    return true
  }
  const text = String(value)
  return significant(text) <= NUMBER_DIGITS && readDecimal(text, out)
}

/** Digits of a number's shortest text; a leading "0." counts none. */
function significant(text: string): number {
  const digits = text.length - (text.includes('.') ? 1 : 0)
  return text.charCodeAt(0) === ZERO_CHAR && text.charCodeAt(1) === POINT ? digits - 1 : digits
}

const RANGE = 'an amount is 0 or more, below 1000000000000, with at most 4 decimals'

function whyText(text: string, field: string): string {
  const shown = `${field} ${show(text)}`
  if (text === '') return `${shown} is empty: send a decimal string such as "129.90"`
  if (text !== text.trim()) return `${shown} has blanks around it: send the digits alone`
  if (text.startsWith('-'))
    return `${shown} is negative; ${RANGE}: send a refund as type "refund" without the sign`
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)) {
    return `${shown} has thousands separators: send ${show(text.replaceAll(',', ''))}`
  }
  if (/^\d+,\d+$/.test(text)) return `${shown} has a decimal comma: send ${show(text.replace(',', '.'))}`
  if (/^[+\d.]+e[+-]?\d+$/i.test(text)) return `${shown} is in exponent form: write the digits out`
  if (/^0\d/.test(text)) return `${shown} has leading zeros: send ${show(text.replace(/^0+(?=\d)/, ''))}`
  if (/^\d+\.\d{5,}$/.test(text)) return `${shown} has more than 4 decimals: round it before sending`
  if (/^\d{13,}(\.\d+)?$/.test(text)) return `${shown} is too large; ${RANGE}`
  return `${shown} is not a decimal number; ${RANGE}: send it as "129.90"`
}

function whyNumber(value: number, field: string): string {
  const shown = `${field} ${show(value)}`
  if (value < 0) return `${shown} is negative; ${RANGE}: send a refund as type "refund" without the sign`
  if (Object.is(value, -0)) return `${shown} has a sign: send 0`
  if (!(value < BELOW)) return `${shown} is too large; ${RANGE}`
  const text = String(value)
  if (text.includes('e')) return `${shown} is smaller than 0.0001; ${RANGE}`
  if (text.length - text.indexOf('.') - 1 > SCALE_DIGITS) {
    return `${shown} has more than 4 decimals, often a trace of floating point: send a decimal string, rounded`
  }
  return `${shown} has more than ${NUMBER_DIGITS} digits, which a JSON number does not hold exactly: send ${show(text)} as a string from the source`
}

import { LIMITS } from '../contracts/limits'
import { Flaw, isStorable, show } from './flaw'

/**
 * Reads a required text of 1..128 characters (eventId, orderId). Characters are code points, so that an emoji is
 * one; UTF-16 length is looked at first because it is free and never smaller.
 */
export function readId(value: unknown, field: string): string | Flaw {
  if (typeof value === 'string' && value !== '') return checkText(value, field, LIMITS.idChars)
  if (value === undefined || value === null || value === '') {
    return new Flaw(
      'missing_field',
      field,
      `${field} is ${value === '' ? 'empty' : 'missing'}: send text of 1 to ${LIMITS.idChars} characters`,
    )
  }
  return notText(value, field)
}

/** Reads an optional text (userId, a dimension's value): absent, null and '' are all null. */
export function readOptionalText(value: unknown, field: string, most: number): string | null | Flaw {
  if (value === undefined || value === null || value === '') return null
  return typeof value === 'string' ? checkText(value, field, most) : notText(value, field)
}

function notText(value: unknown, field: string): Flaw {
  const mend = typeof value === 'number' ? `send it in quotes: ${show(String(value))}` : 'send text'
  return new Flaw('wrong_type', field, `${field} is ${show(value)}, not text: ${mend}`)
}

/** A text that is there: not longer than `most` characters, and storable as UTF-8 in Postgres. */
export function checkText(text: string, field: string, most: number): string | Flaw {
  if (text.length > most && longerThan(text, most)) {
    return new Flaw(
      'too_long',
      field,
      `${field} ${show(text)} is too long; at most ${most} characters are kept`,
    )
  }
  if (isStorable(text)) return text
  return new Flaw(
    'wrong_type',
    field,
    `${field} ${show(text)} holds a NUL or half of a surrogate pair, which no database keeps: send valid Unicode text`,
  )
}

function longerThan(text: string, most: number): boolean {
  let count = 0
  for (const _ of text) if (++count > most) return true
  return false
}

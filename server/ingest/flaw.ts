import type { QuarantineCode } from '../contracts/quarantine'

/**
 * Why one event cannot be counted. A value, not an exception: bad data never throws (style.md rule 3). `field` is
 * the producer's own name for the field at fault, null when the whole event is.
 */
export class Flaw {
  readonly code: QuarantineCode
  readonly field: string | null
  readonly message: string

  constructor(code: QuarantineCode, field: string | null, message: string) {
    this.code = code
    this.field = field
    this.message = message
  }
}

const SHOWN_CHARS = 48

/**
 * A value as a message shows it: JSON, shortened, with control characters and lone surrogates escaped, so that the
 * message itself can always be stored and printed. Never throws, whatever the value is.
 */
export function show(value: unknown): string {
  if (typeof value === 'string') return showText(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'bigint') return `${value}`.slice(0, SHOWN_CHARS)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : 'a value that JSON does not know'
}

function showText(text: string): string {
  if (text.length <= SHOWN_CHARS) return JSON.stringify(text)
  // cut between characters: half a surrogate pair would be shown as an escape that was never sent
  const head = Array.from(text.slice(0, SHOWN_CHARS)).slice(0, -1).join('')
  return `${JSON.stringify(`${head}…`)} (${text.length} characters)`
}

const LONE_SURROGATE = /[\ud800-\udfff]/u
const LONE_SURROGATES = /[\ud800-\udfff]/gu

/**
 * True when Postgres and UTF-8 can hold the text: no NUL, no half of a surrogate pair. A loop, because it runs for
 * every text of every event and those are short: a search and a regular expression took four times as long.
 */
export function isStorable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0) return false
    if ((unit & 0xf800) === 0xd800) return !text.includes('\0') && !LONE_SURROGATE.test(text)
  }
  return true
}

/** The text with what cannot be stored replaced by U+FFFD; for raw texts and names that a person will look at. */
export function storable(text: string): string {
  return isStorable(text) ? text : text.replaceAll('\0', '\ufffd').replace(LONE_SURROGATES, '\ufffd')
}

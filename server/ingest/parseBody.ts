import { LIMITS } from '../contracts/limits'
import { AppError } from '../platform/errors'
import { Flaw, show } from './flaw'
import { elementPlaces, findFault } from './jsonScan'
import { utf8Text } from './utf8Text'

export type BodyKind = 'json' | 'ndjson'

/** A body's events in order. A line that is no JSON stands as its Flaw. */
export interface ParsedBody {
  readonly values: readonly unknown[]
  /** The text of event `i` as it was sent; found only when asked for, since most events are fine. */
  rawOf(i: number): string
}

/**
 * Reads a body as a list of events (design.md §3). Throws AppError `malformed_body` when it is not UTF-8 or, for
 * `json`, not one JSON array; `too_many_events` as soon as an NDJSON body has more lines than a request may hold.
 */
export function parseBody(bytes: Buffer, kind: BodyKind): ParsedBody {
  const text = utf8Text(bytes)
  return kind === 'json' ? parseArray(text) : parseLines(text)
}

function parseArray(text: string): ParsedBody {
  const values = parseJson(text)
  if (!Array.isArray(values)) {
    throw new AppError(
      'malformed_body',
      `the body is ${show(values)}, not a list: send a JSON array of events, [ {…}, {…} ]. Nothing was stored`,
    )
  }
  let places: number[] | null = null
  const rawOf = (i: number) => {
    places ??= elementPlaces(text)
    return text.slice(places[2 * i], places[2 * i + 1])
  }
  return { values, rawOf }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // V8's message names a position for some faults only, and shows the producer's text unescaped
    throw new AppError('malformed_body', `the body is not JSON: ${describeFault(text)}. Nothing was stored`)
  }
}

function describeFault(text: string): string {
  const at = findFault(text)
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  const line = text.slice(0, lineStart).split('\n').length
  const place = `line ${line} column ${at - lineStart + 1}`
  if (at >= text.length) return text.trim() === '' ? 'it is empty' : `it ends too early, at ${place}`
  const seen = `unexpected ${show(String.fromCodePoint(text.codePointAt(at) ?? 0))} at ${place}`
  return text[at] === '{' && line > 1
    ? `${seen}; for one event a line send Content-Type: application/x-ndjson`
    : seen
}

function parseLines(text: string): ParsedBody {
  const values: unknown[] = []
  const places: number[] = []
  let line = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    line++
    if (!isBlank(text, start, end)) {
      if (values.length === LIMITS.eventsPerRequest) throw tooManyEvents()
      values.push(parseLine(text.slice(start, end), line))
      places.push(start, end)
    }
    start = end + 1
  }
  return { values, rawOf: (i) => text.slice(places[2 * i], places[2 * i + 1]).trim() }
}

/** Looks no further than the line: a body of empty lines alone would otherwise cost the square of its size. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i)
    if (c !== 32 && c !== 13 && c !== 9) return false
  }
  return true
}

function parseLine(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const at = findFault(text)
    const where = at >= text.trimEnd().length ? 'it ends too early' : `column ${at + 1}`
    return new Flaw(
      'wrong_type',
      null,
      `line ${line} is not JSON (${where}): send one event as one JSON object on each line`,
    )
  }
}

/** The refusal of a request with too many events; `received` where the number is known. */
export function tooManyEvents(received?: number): AppError {
  const sent = received === undefined ? 'more' : `${received}`
  return new AppError(
    'too_many_events',
    `the request has ${sent} ${received === undefined ? `than ${LIMITS.eventsPerRequest} ` : ''}events; ` +
      `at most ${LIMITS.eventsPerRequest} are taken in one: split it. Nothing was stored`,
  )
}

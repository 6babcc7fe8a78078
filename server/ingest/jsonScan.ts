/**
 * A strict JSON scanner that builds nothing: it finds where values end and where a text stops being JSON. Only for
 * texts that JSON.parse refused and for arrays with quarantined events; it is exact (it takes what JSON.parse takes,
 * tests/property/ingest/jsonScan.test.ts) and without recursion, so nesting cannot exhaust the stack.
 */

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_RECORD = 123
const CLOSE_RECORD = 125

/** A place in the text: an end (>= 0), or where it stops being JSON, as `faultAt` reads it. */
export type Scan = number

const fault = (at: number): Scan => -1 - at

/** Where the text stops being JSON; null when the scan found an end. */
export function faultAt(scan: Scan): number | null {
  return scan < 0 ? -1 - scan : null
}

/** The index of the first character that is not JSON white space. */
export function skipBlank(text: string, from: number): number {
  let at = from
  for (;;) {
    const c = text.charCodeAt(at)
    if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return at
    at++
  }
}

/** The end of the value that begins at or after `from`. */
export function skipValue(text: string, from: number): Scan {
  const closers: number[] = []
  let at = skipBlank(text, from)
  for (;;) {
    const opened = text.charCodeAt(at)
    if (opened === OPEN_LIST || opened === OPEN_RECORD) {
      const closer = opened === OPEN_LIST ? CLOSE_LIST : CLOSE_RECORD
      const inner = skipBlank(text, at + 1)
      if (text.charCodeAt(inner) !== closer) {
        closers.push(closer)
        at = closer === CLOSE_RECORD ? skipName(text, inner) : inner
        if (at < 0) return at
        continue
      }
      at = inner + 1
    } else {
      at = skipScalar(text, at)
    }
    if (at >= 0) at = afterValue(text, at, closers)
    if (at < 0 || closers.length === 0) return at
  }
}

/** Closes what ends at `at`; then the next value's start, or the end of everything when no closer is left. */
function afterValue(text: string, from: number, closers: number[]): Scan {
  let end = from
  while (closers.length > 0) {
    const at = skipBlank(text, end)
    const c = text.charCodeAt(at)
    const closer = closers[closers.length - 1]
    if (c === COMMA) {
      const next = skipBlank(text, at + 1)
      return closer === CLOSE_RECORD ? skipName(text, next) : next
    }
    if (c !== closer) return fault(at)
    closers.pop()
    end = at + 1
  }
  return end
}

/** `"name" :` and the blanks behind it. */
function skipName(text: string, from: number): Scan {
  if (text.charCodeAt(from) !== QUOTE) return fault(from)
  const end = skipString(text, from)
  if (end < 0) return end
  const colon = skipBlank(text, end)
  return text.charCodeAt(colon) === COLON ? skipBlank(text, colon + 1) : fault(colon)
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function skipScalar(text: string, from: number): Scan {
  if (text.charCodeAt(from) === QUOTE) return skipString(text, from)
  for (const word of ['true', 'false', 'null']) if (text.startsWith(word, from)) return from + word.length
  NUMBER.lastIndex = from
  return NUMBER.test(text) ? NUMBER.lastIndex : fault(from)
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

function skipString(text: string, from: number): Scan {
  let at = from + 1
  for (;;) {
    const c = text.charCodeAt(at)
    if (c === QUOTE) return at + 1
    // NaN: the text is over
    if (!(c >= 32)) return fault(at)
    if (c !== 92) {
      at++
      continue
    }
    ESCAPE.lastIndex = at
    if (!ESCAPE.test(text)) return fault(at)
    at = ESCAPE.lastIndex
  }
}

/**
 * Start and end of each element of the JSON array that `text` is, as pairs; for a text that JSON.parse took.
 * Throws RangeError on any other.
 */
export function elementPlaces(text: string): number[] {
  const places: number[] = []
  let at = skipBlank(text, skipBlank(text, 0) + 1)
  while (text.charCodeAt(at) !== CLOSE_LIST) {
    const end = skipValue(text, at)
    if (end < 0) throw new RangeError('not a JSON array')
    places.push(at, end)
    at = skipBlank(text, end)
    if (text.charCodeAt(at) === COMMA) at = skipBlank(text, at + 1)
  }
  return places
}

/** Where a text that JSON.parse refused stops being JSON. */
export function findFault(text: string): number {
  const end = skipValue(text, 0)
  return faultAt(end) ?? skipBlank(text, end)
}

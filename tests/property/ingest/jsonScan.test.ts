import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultAt, findFault, skipBlank, skipValue } from '../../../server/ingest/jsonScan'
import { parseBody } from '../../../server/ingest/parseBody'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The scanner's own verdict on a whole text. */
function scans(text: string): boolean {
  const end = skipValue(text, 0)
  return faultAt(end) === null && skipBlank(text, end) === text.length
}

const json = fc
  .tuple(fc.jsonValue(), fc.constantFrom(0, 1, '\t'))
  .map(([value, space]) => JSON.stringify(value, null, space))
const edit = fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0e-+.1 \n\0tfn中'), maxLength: 3 })
const edited = fc.tuple(json, fc.nat(60), edit, fc.nat(2)).map(([text, at, what, cut]) => {
  const place = at % (text.length + 1)
  return text.slice(0, place) + what + text.slice(place + cut)
})
const soup = fc.string({
  unit: fc.constantFrom(...'{}[]",:\\u0eE-+.12 \n', 'true', 'null', '\u00a0'),
  maxLength: 14,
})

describe('the scanner', () => {
  test('takes what JSON.parse takes and nothing else', () => {
    const both = { yes: 0, no: 0 }
    fc.assert(
      fc.property(fc.oneof(json, edited, soup), (text) => {
        const yes = parses(text)
        both[yes ? 'yes' : 'no']++
        expect(scans(text)).toBe(yes)
      }),
      { numRuns: 30_000 },
    )
    expect(Math.min(both.yes, both.no)).toBeGreaterThan(5_000)
  })

  test('finds where a text was broken, or the number, word or escape that was broken there', () => {
    fc.assert(
      fc.property(json, fc.nat(), (text, place) => {
        const at = place % (text.length + 1)
        // a control character is JSON nowhere
        const found = findFault(`${text.slice(0, at)}\u0001${text.slice(at)}`)
        expect(found).toBeLessThanOrEqual(at)
        expect(text.slice(found, at)).toMatch(/^(-?[\d.eE+-]*|[a-z]*|\\u?[\da-fA-F]*)$/)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('raw texts of a body', () => {
  const pad = fc.constantFrom('', ' ', '\n', '\t\r\n')
  const element = fc.tuple(pad, json, pad).map((parts) => parts.join(''))

  test('of an array parse back to its values', () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 12 }), pad, (parts, space) => {
        const body = parseBody(Buffer.from(`${space}[${parts.join(',')}]${space}`), 'json')
        expect(body.values).toEqual(parts.map((part) => JSON.parse(part)))
        body.values.forEach((value, i) => {
          expect(JSON.parse(body.rawOf(i))).toEqual(value)
          expect(body.rawOf(i)).toBe(parts[i]?.trim())
        })
      }),
    )
  })

  test('of NDJSON are its lines', () => {
    const line = fc.tuple(
      fc.constantFrom('', ' '),
      fc.jsonValue().map((v) => JSON.stringify(v)),
      fc.constantFrom('', '\r'),
    )
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.constantFrom('\n', '\n\n', '\n \r\n'),
        (lines, between) => {
          const text = lines.map((parts) => parts.join('')).join(between)
          const body = parseBody(Buffer.from(text), 'ndjson')
          expect(body.values.map((_, i) => body.rawOf(i))).toEqual(lines.map(([, value]) => value))
        },
      ),
    )
  })
})

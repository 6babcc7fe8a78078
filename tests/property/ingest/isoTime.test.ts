import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { parseIso } from '../../../server/ingest/isoTime'

const two = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((n) => String(n).padStart(2, '0'))

const offset = fc.oneof(
  fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+14:00', '-12:00', '+0530', '+18:00', '-18:00', '+09'),
  fc
    .tuple(fc.constantFrom('+', '-'), two(0, 17), fc.constantFrom(':', ''), two(0, 59))
    .map((p) => p.join('')),
)

/** Fields slightly beyond their ranges, so that refusals are met as well. */
const written = fc
  .tuple(
    fc.integer({ min: 0, max: 9999 }).map((n) => String(n).padStart(4, '0')),
    two(0, 13),
    two(0, 32),
    fc.constantFrom('T', 't', ' '),
    two(0, 25),
    two(0, 61),
    fc.option(fc.tuple(two(0, 59), fc.stringMatching(/^([.,][0-9]{1,9})?$/)).map(([s, f]) => `:${s}${f}`)),
    offset,
  )
  .map(([y, mo, d, t, h, mi, rest, off]) => `${y}-${mo}-${d}${t}${h}:${mi}${rest ?? ''}${off}`)

function temporal(text: string): number | null {
  try {
    return Math.floor(Number(Temporal.Instant.from(text).epochNanoseconds / 1_000_000n))
  } catch {
    return null
  }
}

/** BigInt division truncates; instants before 1970 need floor. */
function temporalFloor(text: string): number | null {
  const truncated = temporal(text)
  if (truncated === null) return null
  const exact = Temporal.Instant.from(text).epochNanoseconds
  return exact < 0n && exact % 1_000_000n !== 0n ? truncated - 1 : truncated
}

describe('an ISO 8601 text', () => {
  test('is the instant that Temporal reads, and refused where Temporal refuses', () => {
    let read = 0
    fc.assert(
      fc.property(written, (text) => {
        const ours = parseIso(text)
        if (typeof ours === 'number') read++
        expect(typeof ours === 'number' ? ours : null).toBe(temporalFloor(text))
      }),
      { numRuns: 20_000 },
    )
    expect(read).toBeGreaterThan(5_000)
  })

  test('that we take at all, Temporal takes too, with the same value', () => {
    const alphabet = fc.string({ unit: fc.constantFrom(...'0123456789-+:.,TZtz []W'), maxLength: 32 })
    const edited = fc
      .tuple(written, fc.nat(30), fc.string({ unit: fc.constantFrom(...'019-+:.,TZ '), maxLength: 2 }))
      .map(([text, at, what]) => text.slice(0, at) + what + text.slice(at + 1))
    fc.assert(
      fc.property(fc.oneof(alphabet, edited), (text) => {
        const ours = parseIso(text)
        if (typeof ours === 'number') expect(temporalFloor(text)).toBe(ours)
      }),
      { numRuns: 20_000 },
    )
  })

  test('without an offset names no instant', () => {
    fc.assert(
      fc.property(written, (text) => {
        const bare = text.replace(/(Z|z|[+-]\d\d:?\d\d|[+-]\d\d)$/, '')
        if (typeof parseIso(text) === 'number') expect(parseIso(bare)).toBe('no_offset')
      }),
    )
  })
})

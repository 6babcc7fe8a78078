import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMB, toUnits } from '../../../server/contracts/money'
import { readAmount } from '../../../server/ingest/amount'
import { check, order } from '../../unit/ingest/fixtures'

function units(amount: unknown): bigint | null {
  const out = check(order({ amount: '0' }))
  if (!('amountHi' in out) || readAmount(amount, 'amount', out) !== null) return null
  expect(Number.isInteger(out.amountHi) && Number.isInteger(out.amountLo)).toBe(true)
  expect(out.amountHi).toBeLessThan(LIMB)
  expect(out.amountLo).toBeLessThan(LIMB)
  expect(Object.is(out.amountHi, -0) || Object.is(out.amountLo, -0)).toBe(false)
  return toUnits({ hi: out.amountHi, lo: out.amountLo })
}

/** The rule of design.md §3 in other words than the code's: a regular expression and BigInt. */
function model(text: string): bigint | null {
  const match = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,4}))?$/.exec(text)
  return match ? BigInt(`${match[1]}${(match[2] ?? '').padEnd(4, '0')}`) : null
}

const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 13n }), fc.stringMatching(/^(\.[0-9]{1,5})?$/))
  .map(([whole, part]) => `${whole}${part}`)

const mutant = fc
  .tuple(
    decimal,
    fc.nat(18),
    fc.constantFrom('', '0', '9', '.', ',', '-', '+', 'e', ' ', '\n', '\0', '٣', '5'),
  )
  .map(([text, at, what]) => text.slice(0, at) + what + text.slice(at + (at % 2)))

describe('an amount as text', () => {
  test('is what BigInt arithmetic says, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(decimal, mutant, fc.string()), (text) => {
        expect(units(text)).toBe(model(text))
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('an amount as a JSON number', () => {
  test('is the value of its shortest text, or refused', () => {
    const cents = fc
      .integer({ min: 0, max: 10 ** 15 })
      .chain((n) => fc.constantFrom(1, 10, 100, 1e4).map((d) => n / d))
    fc.assert(
      fc.property(fc.oneof(fc.double(), cents, fc.integer(), fc.maxSafeNat()), (value) => {
        const text = Object.is(value, -0) ? '-0' : String(value)
        const digits = text.replace('.', '').replace(/^0/, '').length
        expect(units(value)).toBe(digits <= 15 ? model(text) : null)
      }),
      { numRuns: 20_000 },
    )
  })

  test('agrees with the same digits sent as text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (all) => {
        const text = `${all / 10_000n}.${(all % 10_000n).toString().padStart(4, '0')}`
        expect(units(JSON.parse(text))).toBe(units(text))
      }),
      { numRuns: 5_000 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Money } from '../../../server/contracts/money'
import {
  add,
  fromDecimal,
  fromUnits,
  isZero,
  LIMB,
  normalize,
  subtract,
  toDecimal,
  toUnits,
  ZERO,
} from '../../../server/contracts/money'

/** Up to what NUMERIC(38,4) columns hold in practice: 10^23 ten-thousandths, far past 2^53. */
const MOST = 10n ** 23n
const units = fc.oneof(
  fc.bigInt({ min: -MOST, max: MOST }),
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -20n, max: 20n }).map((n) => n + 2n ** 53n),
  fc.bigInt({ min: -3n, max: 3n }).map((n) => n * BigInt(LIMB)),
)

/** A limb may not be -0, nor out of its bounds: the database and JSON would show it. */
function expectSound(money: Money): void {
  expect([Object.is(money.hi, -0), Object.is(money.lo, -0)]).toEqual([false, false])
  expect(Number.isSafeInteger(money.hi) && money.lo >= 0 && money.lo < LIMB).toBe(true)
}

function check(money: Money, expected: bigint): void {
  expectSound(money)
  expect(toUnits(money)).toBe(expected)
}

describe('money', () => {
  test('adds and subtracts as BigInt does', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        check(fromUnits(a), a)
        check(add(fromUnits(a), fromUnits(b)), a + b)
        check(subtract(fromUnits(a), fromUnits(b)), a - b)
        check(subtract(fromUnits(a), fromUnits(a)), 0n)
        expect(isZero(fromUnits(a))).toBe(a === 0n)
      }),
      { numRuns: 3_000 },
    )
  })

  test('sums many amounts as BigInt does, past 2^53', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 16n - 1n }), { maxLength: 200 })
    fc.assert(
      fc.property(amounts, (list) => {
        const sum = list.reduce((total, a) => add(total, fromUnits(a)), ZERO)
        check(
          sum,
          list.reduce((total, a) => total + a, 0n),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('carries any two safe limbs over, of either sign', () => {
    const limb = fc.oneof(
      fc.maxSafeInteger(),
      fc.integer({ min: -3, max: 3 }).map((n) => n * LIMB),
      fc
        .integer({ min: -90_071_992, max: 90_071_992 })
        .chain((n) => fc.constantFrom(n * LIMB - 1, n * LIMB, n * LIMB + 1)),
      fc.constant(-0),
    )
    fc.assert(
      fc.property(fc.integer(), limb, (hi, lo) =>
        check(normalize(hi, lo), BigInt(hi) * BigInt(LIMB) + BigInt(lo)),
      ),
      { numRuns: 3_000 },
    )
  })

  test('is written with exactly 4 decimals, and read back as what it was', () => {
    fc.assert(
      fc.property(units, (a) => {
        const text = toDecimal(fromUnits(a))
        expect(text).toMatch(/^(?!-0\.0000)-?(0|[1-9]\d*)\.\d{4}$/)
        expect(BigInt(text.replace('.', ''))).toBe(a)
        check(fromDecimal(text), a)
      }),
      { numRuns: 3_000 },
    )
  })

  test('reads up to 4 decimals and refuses any other text', () => {
    const decimals = fc.tuple(
      fc.bigInt({ min: 0n, max: 10n ** 18n }),
      fc.stringMatching(/^\d{1,4}$/),
      fc.boolean(),
    )
    fc.assert(
      fc.property(decimals, ([whole, part, minus]) => {
        const size = whole * 10_000n + BigInt(part.padEnd(4, '0'))
        check(fromDecimal(`${minus ? '-' : ''}${whole}.${part}`), minus ? -size : size)
      }),
    )
    for (const text of [
      '',
      '-',
      '.5',
      '5.',
      '1.23456',
      '1e3',
      '+1',
      ' 1',
      '1\n',
      '1,000',
      'NaN',
      '--1',
      '0x1',
    ]) {
      expect(() => fromDecimal(text)).toThrow(RangeError)
    }
  })

  test('holds 2^53 + 1 ten-thousandths, which no double does', () => {
    expect(toDecimal(fromUnits(2n ** 53n + 1n))).toBe('900719925474.0993')
    expect(toDecimal(add(fromDecimal('900719925474.0992'), fromDecimal('0.0001')))).toBe('900719925474.0993')
  })

  test('has no zero with a sign: not from -0.00, not from what cancels', () => {
    for (const zero of [
      fromDecimal('-0.00'),
      fromDecimal('-0'),
      normalize(-0, -0),
      subtract(ZERO, ZERO),
      fromUnits(-0n),
    ]) {
      expectSound(zero)
      expect(toDecimal(zero)).toBe('0.0000')
    }
  })

  test('is refused beyond what two limbs hold exactly, never rounded', () => {
    expect(() => fromDecimal('123456789012345678901234567890.1234')).toThrow(RangeError)
    expect(() => fromUnits(-(2n ** 53n) * BigInt(LIMB))).toThrow(RangeError)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalOf, divide, percentOf, sum, unitsOf } from '@/app/lib/format/decimal'
import { duration, setting } from '@/app/lib/format/duration'
import { money } from '@/app/lib/format/money'
import { counted, list, percent } from '@/app/lib/format/number'
import { clockOf } from '@/app/lib/format/time'
import { at, NOW, plain } from '../../builders'

describe('money', () => {
  it('keeps every digit: strings go to Intl as they are (field cases 34, 35)', () => {
    expect(plain(money('9007199254740993.1250', 'CNY'))).toBe('¥ 9,007,199,254,740,993.13')
  })
  it('has no minus zero, and a real minus sign', () => {
    expect(plain(money('-0.0000', 'CNY'))).toBe('¥ 0.00')
    expect(plain(money('-0.0049', 'CNY'))).toBe('¥ 0.00')
    expect(plain(money('-12.3000', 'USD'))).toBe('−$ 12.30')
  })
  it('signs a delta, and a delta of nothing has no sign', () => {
    expect(plain(money('1204.0000', 'CNY', { signed: true }))).toBe('+¥ 1,204.00')
    expect(plain(money('0.0000', 'CNY', { signed: true }))).toBe('¥ 0.00')
  })
  it('refuses what is no amount', () => {
    for (const bad of ['', 'NaN', '1e3', '1,299', ' 5', 'Infinity'])
      expect(() => money(bad, 'CNY')).toThrow(RangeError)
  })
  it('adds without floats: 0.1 + 0.2', () => {
    expect(sum(['0.1000', '0.2000'])).toBe('0.3000')
    expect(sum([])).toBe('0.0000')
  })
})

describe('exact division', () => {
  const amounts = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  it('is within half a unit of the true quotient, for every amount, count and number of places', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 0, max: 3 }),
        (units, n, places) => {
          const quotient = divide(decimalOf(units), n, places)
          const scaled = BigInt((quotient ?? '').replace('.', ''))
          const unit = 10n ** BigInt(4 - places) * BigInt(n)
          const error = 2n * (units - scaled * unit)
          expect((error < 0n ? -error : error) <= unit).toBe(true)
        },
      ),
    )
  })
  it('a decimal is read back as it was written', () => {
    fc.assert(
      fc.property(amounts, (units) => {
        expect(unitsOf(decimalOf(units))).toBe(units)
      }),
    )
  })
  it('a share of nothing is n/a', () => {
    expect(percent(percentOf(1n, 0n))).toBe('n/a')
    expect(percent(percentOf(19n, 1_000n))).toBe('1.9 %')
  })
})

describe('durations in words', () => {
  it.each([
    [0, 'under 1 s'],
    [999, 'under 1 s'],
    [7_000, '7 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [252_000, '4 min 12 s'],
    [3_600_000, '1 h'],
    [7_505_000, '2 h 5 min'],
    [33 * 86_400_000 + 60_000, '33 d'],
    [-252_000, '4 min 12 s'],
  ])('%i ms is %s', (ms, words) => expect(plain(duration(ms))).toBe(words))
  it('a setting is exact', () => {
    expect([0, 250, 5_000, 600_000].map((ms) => plain(setting(ms)))).toEqual([
      '0 s',
      '250 ms',
      '5 s',
      '10 min',
    ])
  })
})

describe('times of the business zone', () => {
  it('are in that zone whatever the machine is in', () => {
    expect(clockOf('Asia/Shanghai').seconds(at(14, 22, 30))).toBe('14:22:30')
    expect(clockOf('UTC').seconds(at(14, 22, 30))).toBe('06:22:30')
  })
  it('midnight is 00, not 24', () => {
    expect(clockOf('Asia/Shanghai').minutes(at(0, 0))).toBe('00:00')
  })
  it('another day is named, another year too', () => {
    const clock = clockOf('Asia/Shanghai')
    expect(clock.instant(at(14, 0) - 86_400_000, NOW)).toBe('30 Nov, 14:00:00')
    expect(clock.instant(at(14, 0) - 365 * 86_400_000, NOW)).toBe('1 Dec 2025, 14:00:00')
    expect(clock.span(at(14, 3), at(14, 4), NOW)).toBe('14:03–14:04')
  })
})

describe('counts and lists', () => {
  it('carry their unit', () => {
    expect(counted(1, 'order')).toBe('1 order')
    expect(counted(41_204, 'order')).toBe('41,204 orders')
  })
  it('name a few and count the rest', () => {
    expect(list(['a'])).toBe('a')
    expect(list(['a', 'b', 'c'])).toBe('a, b and c')
    expect(list(['a', 'b', 'c', 'd'])).toBe('a, b and 2 more')
  })
})

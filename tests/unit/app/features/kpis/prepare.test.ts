import { describe, expect, it } from 'vitest'
import { chooseCurrency, noFigures, prepareKpis, todayFigures } from '@/app/features/kpis/prepare'
import type { TodayFigures } from '@/server/contracts/overview'
import { at, plain, row } from '../../builders'

const figures = (over: Partial<TodayFigures> = {}): TodayFigures => ({
  currency: 'CNY',
  gross: '8280000.0000',
  refunds: '156544.0000',
  net: '8123456.0000',
  orders: 41_204,
  buyers: 33_870,
  events: 42_000,
  ...over,
})
const value = (id: string, today: TodayFigures) =>
  plain(prepareKpis(today).find((kpi) => kpi.id === id)?.value ?? '')

describe('the figures of today', () => {
  it('show the figures in the words and digits of their currency', () => {
    expect(prepareKpis(figures()).map((kpi) => plain(kpi.value))).toEqual([
      '¥ 8,123,456.00',
      '41,204',
      '33,870',
      '¥ 200.95',
      '1.9 %',
    ])
  })

  it('average is exact past 2^53 and rounded once', () => {
    expect(value('average', figures({ gross: '9007199254740993.1200', orders: 1 }))).toBe(
      '¥ 9,007,199,254,740,993.12',
    )
    // 0.0099 / 2 = 0.00495: at 4 places 0.0050, and that would round up to 0.01.
    expect(value('average', figures({ gross: '0.0099', orders: 2 }))).toBe('¥ 0.00')
    expect(value('average', figures({ gross: '8.1650', orders: 1 }))).toBe('¥ 8.17')
  })

  it('average uses the digits of its currency', () => {
    expect(value('average', figures({ currency: 'JPY', gross: '1000.0000', orders: 3 }))).toBe('¥ 333')
    expect(value('average', figures({ currency: 'KWD', gross: '10.0000', orders: 3 }))).toBe('KWD 3.333')
  })

  it('nothing to divide by is n/a, never NaN or ∞', () => {
    const none = figures({ gross: '0.0000', refunds: '10.0000', net: '-10.0000', orders: 0 })
    expect(value('average', none)).toBe('n/a')
    expect(value('refunds', none)).toBe('n/a')
    expect(value('net', none)).toBe('−¥ 10.00')
  })

  it('a day without orders claims no money', () => {
    expect(noFigures().map((kpi) => kpi.value)).toEqual(['n/a', '0', '0', 'n/a', 'n/a'])
  })

  it('the live row of the day replaces the queried figures of its currency only', () => {
    const day = at(0, 0)
    const live = row({ view: 'gmv_total_day', start: day, net: '5.0000', orders: 99_999 })
    const today = todayFigures([figures(), figures({ currency: 'USD', orders: 1 })], [live], day)
    expect(today.map((t) => [t.currency, t.net])).toEqual([
      ['CNY', '5.0000'],
      ['USD', '8123456.0000'],
    ])
  })

  it('the row of yesterday is not today', () => {
    const yesterday = row({ start: at(0, 0) - 86_400_000, net: '5.0000' })
    expect(todayFigures([], [yesterday], at(0, 0))).toEqual([])
  })

  it('a currency that has no figures falls back to the one with most orders', () => {
    expect(chooseCurrency('EUR', ['CNY', 'USD'])).toBe('CNY')
    expect(chooseCurrency('USD', ['CNY', 'USD'])).toBe('USD')
    expect(chooseCurrency(null, [])).toBeNull()
  })
})

import { divide, percentOf, unitsOf } from '@/app/lib/format/decimal'
import { currencyDigits, money } from '@/app/lib/format/money'
import { count, percent } from '@/app/lib/format/number'
import type { TodayFigures } from '@/server/contracts/overview'
import type { WindowRow } from '@/server/contracts/windowRow'

export interface Kpi {
  readonly id: 'net' | 'orders' | 'buyers' | 'average' | 'refunds'
  readonly label: string
  readonly value: string
  /** One line under the figure: how it comes about, or what it counts. */
  readonly detail: string
  /** Two lines that explain the term. */
  readonly help: string
}

/** The five figures of one currency so far today. All arithmetic is on exact integers. */
export function prepareKpis(today: TodayFigures): readonly Kpi[] {
  const { currency, gross, refunds, net, orders, buyers } = today
  const average = divide(gross, orders, currencyDigits(currency))
  const rate = percentOf(unitsOf(refunds), unitsOf(gross))
  return [
    {
      id: 'net',
      label: `Net GMV, ${currency}`,
      value: money(net, currency),
      detail: `${money(gross, currency)} gross − ${money(refunds, currency)} refunds`,
      help: 'Orders minus refunds, each at the time it happened. A refund counts when it was made, not when its order was.',
    },
    {
      id: 'orders',
      label: 'Orders',
      value: count(orders),
      detail: 'distinct orders',
      help: 'Distinct order numbers. An order that was sent twice counts once; refunds are not orders.',
    },
    {
      id: 'buyers',
      label: 'Buyers',
      value: count(buyers),
      detail: 'distinct people',
      help: 'Distinct users of orders. Orders without a user add none.',
    },
    {
      id: 'average',
      label: 'Average order',
      value: average === null ? 'n/a' : money(average, currency),
      detail: average === null ? 'no orders yet' : 'gross ÷ orders',
      help: 'Gross divided by distinct orders, exact, then rounded once. Refunds do not lower it.',
    },
    {
      id: 'refunds',
      label: 'Refund rate',
      value: percent(rate),
      detail: rate === null ? 'no sales yet' : 'refunds ÷ gross',
      help: 'Refunds of today against sales of today. Above 100 % when more is returned than sold.',
    },
  ]
}

/** The figures of the overview, each replaced by the live row of the day view where there is one. */
export function todayFigures(
  queried: readonly TodayFigures[],
  live: readonly WindowRow[],
  dayStart: number | null,
): readonly TodayFigures[] {
  const version = Math.max(0, ...live.map((row) => row.version))
  const rows = live.filter(
    (row) => row.start === dayStart && row.version === version && row.status !== 'superseded',
  )
  const known = new Map(queried.map((figures) => [figures.currency, figures]))
  for (const row of rows) known.set(row.currency, row)
  return [...known.values()].sort((a, b) => b.orders - a.orders || a.currency.localeCompare(b.currency))
}

/** The currency on screen: the one asked for if there are figures of it, else the one with most orders. */
export function chooseCurrency(asked: string | null, present: readonly string[]): string | null {
  return present.find((currency) => currency === asked) ?? present[0] ?? null
}

/** A day without orders: the same five places, nothing claimed. */
export function noFigures(): readonly Kpi[] {
  const none: TodayFigures = {
    currency: 'XXX',
    gross: '0',
    refunds: '0',
    net: '0',
    orders: 0,
    buyers: 0,
    events: 0,
  }
  return prepareKpis(none).map((kpi) => ({
    ...kpi,
    label: kpi.id === 'net' ? 'Net GMV' : kpi.label,
    value: kpi.id === 'orders' || kpi.id === 'buyers' ? kpi.value : 'n/a',
    detail: 'no orders yet today',
  }))
}

import { duration } from '@/app/lib/format/duration'
import { money } from '@/app/lib/format/money'
import { count, list } from '@/app/lib/format/number'
import { clockOf } from '@/app/lib/format/time'
import type { MoneyCount } from '@/server/contracts/overview'
import type { LateEvent } from '@/server/contracts/windowRow'

export interface LateLine {
  readonly key: string
  readonly order: string
  readonly type: 'order' | 'refund'
  readonly source: string
  readonly eventTime: string
  readonly missed: string
  readonly lateBy: string
  readonly amount: string
  readonly seen: string
  readonly sort: Pick<LateEvent, 'eventTime' | 'lateBy' | 'seen'>
}

export function prepareLate(rows: readonly LateEvent[], zone: string, now: number): readonly LateLine[] {
  const clock = clockOf(zone)
  const coded = new Set(rows.map((row) => row.currency)).size > 1
  return rows.map((row) => ({
    key: `${row.source}/${row.eventId}`,
    order: row.orderId,
    type: row.type,
    source: row.source,
    eventTime: clock.instant(row.eventTime, now),
    missed: clock.span(row.windowStart, row.windowEnd, now),
    lateBy: duration(row.lateBy),
    amount: money(row.type === 'refund' ? negated(row.amount) : row.amount, row.currency, { coded }),
    seen: row.seen === 1 ? 'once' : `${row.seen} times`,
    sort: row,
  }))
}

/** "14 waiting, ¥ 3,310.50": money a currency, never added. */
export function lateTotal(total: number, waiting: readonly MoneyCount[]): string {
  if (total === 0) return 'none waiting'
  const coded = waiting.length > 1
  const amounts = waiting.map((entry) => money(entry.amount, entry.currency, { coded }))
  return [`${count(total)} waiting`, ...(amounts.length > 0 ? [list(amounts)] : [])].join(', ')
}

function negated(amount: string): string {
  return /^0*(\.0*)?$/.test(amount) ? amount : `-${amount}`
}

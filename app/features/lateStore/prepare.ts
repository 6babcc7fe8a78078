import { duration } from '@/app/lib/format/duration'
import { money } from '@/app/lib/format/money'
import { count, list } from '@/app/lib/format/number'
import { clockOf } from '@/app/lib/format/time'
import type { LateRow } from '@/server/contracts/lateRow'
import type { EventId, LateStatus } from '@/server/contracts/lateStore'
import type { MoneyCount } from '@/server/contracts/overview'

export interface LateLine {
  readonly key: string
  readonly id: EventId
  readonly status: LateStatus
  /** Said beside the order where it is not what the list is of: "being checked", "differs from the first". */
  readonly note: string | null
  readonly order: string
  readonly type: 'order' | 'refund'
  readonly source: string
  readonly eventTime: string
  readonly missed: string
  readonly lateBy: string
  readonly amount: string
  /** "came 3 times"; null: once. */
  readonly seen: string | null
  readonly sort: Pick<LateRow, 'eventTime' | 'lateBy'>
}

export function prepareLate(rows: readonly LateRow[], zone: string, now: number): readonly LateLine[] {
  const clock = clockOf(zone)
  const coded = new Set(rows.map((row) => row.currency)).size > 1
  return rows.map((row) => ({
    key: `${row.source}/${row.eventId}`,
    id: { source: row.source, eventId: row.eventId },
    status: row.status,
    note: noteOf(row),
    order: row.orderId,
    type: row.type,
    source: row.source,
    eventTime: clock.instant(row.eventTime, now),
    missed: clock.span(row.windowStart, row.windowEnd, now),
    lateBy: row.seen === 0 ? 'was in time' : duration(row.lateBy),
    amount: money(row.type === 'refund' ? negated(row.amount) : row.amount, row.currency, { coded }),
    seen: timesOf(row.seen),
    sort: row,
  }))
}

function noteOf({ status, conflict }: LateRow): string | null {
  if (status === 'unverified') return 'being checked'
  return conflict ? 'differs from the first' : null
}

function timesOf(seen: number): string | null {
  return seen > 1 ? `came ${count(seen)} times` : null
}

/** "14 waiting, ¥ 3,310.50, 2 being checked": money a currency, never added, and only of what was checked. */
export function lateTotal(total: number, waiting: readonly MoneyCount[]): string {
  const checked = waiting.reduce((sum, entry) => sum + entry.count, 0)
  const checking = Math.max(0, total - checked)
  if (total === 0) return 'none waiting'
  const coded = waiting.length > 1
  const amounts = waiting.map((entry) => money(entry.amount, entry.currency, { coded }))
  return [
    ...(checked > 0 ? [`${count(checked)} waiting`] : []),
    ...(amounts.length > 0 ? [list(amounts)] : []),
    ...(checking > 0 ? [`${count(checking)} being checked`] : []),
  ].join(', ')
}

function negated(amount: string): string {
  return /^0*(\.0*)?$/.test(amount) ? amount : `-${amount}`
}

import type { LateFilter, LateRow } from '../../contracts/lateRow'
import type { LateStatus } from '../../contracts/lateStore'
import type { LateEvent } from '../../contracts/windowRow'
import type { Store } from '../client'
import { numberOrNull } from '../columns'
import { Prisma } from '../generated/client'

interface LateColumns {
  readonly source: string
  readonly event_id: string
  readonly order_id: string
  readonly user_id: string | null
  readonly type: LateEvent['type']
  readonly amount: string
  readonly currency: string
  readonly event_time: bigint
  readonly dimensions: Record<string, string>
  readonly window_start: bigint
  readonly window_end: bigint
  readonly watermark: bigint | null
  readonly late_by: bigint
  readonly received_at: bigint
  readonly position: bigint
  readonly row: number
  readonly seen: number
  readonly status: LateStatus
  readonly conflict: boolean
}

/** Late events with these statuses, newest first; of one source where it is named. */
export async function readLate(
  { prisma }: Store,
  { statuses, source, before, limit }: LateFilter,
): Promise<LateRow[]> {
  const place =
    before && Prisma.sql`AND (position, "row") < (${String(before.position)}::bigint, ${before.row}::int)`
  const rows = await prisma.$queryRaw<LateColumns[]>`
    SELECT source, event_id, order_id, user_id, type, amount::text AS amount, currency, event_time, dimensions,
      window_start, window_end, watermark, late_by, received_at, position, "row", seen, status, conflict
    FROM late_event
    WHERE ${conditions(statuses, source)} ${place ?? Prisma.empty}
    ORDER BY position DESC, "row" DESC
    LIMIT ${limit}`
  return rows.map(toLateRow)
}

/** How many late events have these statuses. */
export async function countLate(
  { prisma }: Store,
  { statuses, source }: Pick<LateFilter, 'statuses' | 'source'>,
): Promise<number> {
  const rows = await prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM late_event WHERE ${conditions(statuses, source)}`
  return Number(rows[0]?.count ?? 0)
}

function conditions(statuses: readonly LateStatus[], source: string | undefined) {
  const ofSource = source === undefined ? Prisma.empty : Prisma.sql`AND source = ${source}`
  return Prisma.sql`status = ANY(${[...statuses]}) ${ofSource}`
}

function toLateRow(row: LateColumns): LateRow {
  return {
    source: row.source,
    eventId: row.event_id,
    orderId: row.order_id,
    userId: row.user_id,
    type: row.type,
    amount: row.amount,
    currency: row.currency,
    eventTime: Number(row.event_time),
    dimensions: row.dimensions,
    windowStart: Number(row.window_start),
    windowEnd: Number(row.window_end),
    watermark: numberOrNull(row.watermark),
    lateBy: Number(row.late_by),
    receivedAt: Number(row.received_at),
    position: Number(row.position),
    row: row.row,
    seen: row.seen,
    status: row.status,
    conflict: row.conflict,
  }
}

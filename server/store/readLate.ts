import type { LateEvent } from '../contracts/windowRow'
import type { Store } from './client'
import { numberOrNull } from './columns'

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
}

/** Late events that wait, newest first. */
export async function readLate({ prisma }: Store, limit: number): Promise<LateEvent[]> {
  const rows = await prisma.$queryRaw<LateColumns[]>`
    SELECT source, event_id, order_id, user_id, type, amount::text AS amount, currency, event_time, dimensions,
      window_start, window_end, watermark, late_by, received_at, position, "row", seen
    FROM late_event
    WHERE status = 'waiting'
    ORDER BY received_at DESC, position DESC, source, event_id
    LIMIT ${limit}`
  return rows.map(toLateEvent)
}

/** How many late events wait. */
export async function countLate({ prisma }: Store): Promise<number> {
  return prisma.lateEvent.count({ where: { status: 'waiting' } })
}

function toLateEvent(row: LateColumns): LateEvent {
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
  }
}

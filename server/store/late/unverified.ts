import type { LateStatus } from '../../contracts/lateStore'
import type { Store } from '../client'

export interface UnverifiedRow {
  readonly source: string
  readonly event_id: string
  readonly position: bigint
  readonly row: number
  readonly status: LateStatus
}

/**
 * Late events that may be repeats of counted ones, oldest first; and those whose id is known to be counted and that
 * came again since, which are repeats for sure.
 */
export function readUnverified({ prisma }: Store, limit: number): Promise<UnverifiedRow[]> {
  return prisma.$queryRaw<UnverifiedRow[]>`
    SELECT source, event_id, position, "row", status FROM late_event
    WHERE status = 'unverified' OR (status IN ('reconciled', 'duplicate') AND settled < seen)
    ORDER BY position, "row"
    LIMIT ${limit}`
}

/** They wait now: no event that was counted up to journal position `to` has their ids. */
export async function markVerified(
  { prisma }: Store,
  rows: readonly Pick<UnverifiedRow, 'source' | 'event_id'>[],
  to: number,
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ source, event_id }) => ({ source, event_id }))
  await prisma.$executeRawUnsafe(
    `UPDATE late_event e SET verified_to = greatest(verified_to, $2::bigint),
       status = CASE e.status WHEN 'unverified' THEN 'waiting' ELSE e.status END
     FROM jsonb_to_recordset($1::jsonb) AS r(source text, event_id text)
     WHERE e.source = r.source AND e.event_id = r.event_id`,
    JSON.stringify(ids),
    String(to),
  )
}

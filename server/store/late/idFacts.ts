import type { EventId, LateChangeKind } from '../../contracts/lateStore'
import type { Store } from '../client'

export interface IdFactsRow {
  readonly source: string
  readonly event_id: string
  readonly last: LateChangeKind | null
  readonly moved: 'reconciled' | 'voided' | null
  readonly came: number
  readonly settled: number
  readonly verified_to: bigint | null
}

/**
 * What is known of ids in the late store as of before a position. A confirmed repeat of an event that a command moved
 * does not change what the event itself is, so `duplicate` is the last change only where there is no other.
 */
const READ = `
  SELECT r.source, r."eventId" AS event_id, c.last, c.moved, c.settled, o.came, e.verified_to
  FROM jsonb_to_recordset($1::jsonb) AS r(source text, "eventId" text)
  LEFT JOIN late_event e ON e.source = r.source AND e.event_id = r."eventId"
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS came FROM late_occurrence o
    WHERE o.source = r.source AND o.event_id = r."eventId" AND o.position < $2::bigint
  ) o
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(settles), 0)::int AS settled,
      (array_agg(change ORDER BY change = 'duplicate', by DESC))[1] AS last,
      (array_agg(change ORDER BY by DESC) FILTER (WHERE change IN ('reconciled', 'voided')))[1] AS moved
    FROM late_change c WHERE c.source = r.source AND c.event_id = r."eventId" AND c.by < $2::bigint
  ) c`

export function readIdFacts(
  { prisma }: Store,
  ids: readonly EventId[],
  before: number,
): Promise<IdFactsRow[]> {
  const named = ids.map(({ source, eventId }) => ({ source, eventId }))
  return prisma.$queryRawUnsafe<IdFactsRow[]>(READ, JSON.stringify(named), String(before))
}

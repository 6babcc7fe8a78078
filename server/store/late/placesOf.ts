import type { EventId, EventPlace, LateStatus } from '../../contracts/lateStore'
import type { Store } from '../client'

/** Where these ids stand that the late store has, and what they are there. */
export async function readLatePlaces(
  { prisma }: Store,
  ids: readonly EventId[],
): Promise<(EventPlace & { readonly status: LateStatus })[]> {
  const rows = await prisma.$queryRawUnsafe<
    { source: string; event_id: string; position: bigint; row: number; status: LateStatus }[]
  >(
    `SELECT e.source, e.event_id, e.position, e.row, e.status
     FROM jsonb_to_recordset($1::jsonb) AS r(source text, "eventId" text)
     JOIN late_event e ON e.source = r.source AND e.event_id = r."eventId"`,
    JSON.stringify(ids.map(({ source, eventId }) => ({ source, eventId }))),
  )
  return rows.map(({ event_id: eventId, position, ...rest }) => ({
    ...rest,
    eventId,
    position: Number(position),
  }))
}

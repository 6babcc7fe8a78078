import type { LateRules } from '../../contracts/lateRules'
import type { EventPlace } from '../../contracts/lateStore'
import type { Store } from '../client'

/** Late events that wait and that a rule lets in, oldest first, after a place among them. */
export async function readRuled(
  { prisma }: Store,
  { reinjectUpTo, maxAmount }: LateRules,
  after: Pick<EventPlace, 'position' | 'row'>,
  limit: number,
): Promise<EventPlace[]> {
  const rows = await prisma.$queryRaw<{ source: string; event_id: string; position: bigint; row: number }[]>`
    SELECT source, event_id, position, "row" FROM late_event
    WHERE status = 'waiting'
      AND (${reinjectUpTo === null} OR late_by <= ${String(reinjectUpTo ?? 0)}::bigint)
      AND (${maxAmount === null} OR amount <= ${maxAmount ?? '0'}::numeric)
      AND (position, "row") > (${String(after.position)}::bigint, ${after.row}::int)
    ORDER BY position, "row"
    LIMIT ${limit}`
  return rows.map(({ event_id: eventId, position, ...rest }) => ({
    ...rest,
    eventId,
    position: Number(position),
  }))
}

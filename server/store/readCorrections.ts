import type { Revision } from '../contracts/windowRow'
import type { Store } from './client'
import { REVISION_COLUMNS, type RevisionColumns, toRevision } from './columns'

export interface ViewVersion {
  readonly view: string
  readonly version: number
}

/** Revisions of a view that are no firings, newest first: what changed a number that was published. */
export async function readCorrections(
  { prisma }: Store,
  { view, version }: ViewVersion,
  limit: number,
): Promise<Revision[]> {
  const rows = await prisma.$queryRaw<RevisionColumns[]>`
    SELECT ${REVISION_COLUMNS}
    FROM revision r
    WHERE r.view = ${view} AND r.version = ${version} AND r.kind <> 'on-time' AND r.kind <> 'inactivity'
    ORDER BY r.at DESC, r.pos DESC, r.start_at DESC, r.window_id DESC, r.key, r.revision DESC
    LIMIT ${limit}`
  return rows.map(toRevision)
}

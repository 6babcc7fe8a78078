import type { Notice, NoticeKind } from '../contracts/notice'
import type { Store } from './client'

/** Notices, newest first. */
export async function readNotices({ prisma }: Store, limit: number): Promise<Notice[]> {
  const rows = await prisma.notice.findMany({
    orderBy: [{ position: 'desc' }, { index: 'desc' }],
    take: limit,
  })
  return rows.map(({ kind, subject, at, position }) => ({
    // Only the engine writes here; a kind that a newer version knows is shown by its name.
    kind: kind as NoticeKind,
    subject,
    at: Number(at),
    position: Number(position),
  }))
}

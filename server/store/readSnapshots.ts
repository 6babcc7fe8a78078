import { z } from 'zod'
import type { HashedSegment, StoredSnapshot } from '../contracts/snapshot'
import type { Store } from './client'

const Segments = z.array(z.object({ name: z.string(), hash: z.string() }))

/** Kept snapshots up to a position, newest first; without their bytes. */
export async function readSnapshots({ prisma }: Store, upTo: number): Promise<StoredSnapshot[]> {
  const rows = await prisma.snapshot.findMany({
    where: { position: { lte: upTo } },
    orderBy: { position: 'desc' },
  })
  return rows.map(({ position, at, rulesVersion, format, segments }) => ({
    position: Number(position),
    at: Number(at),
    rulesVersion,
    format,
    // What cannot be read is a snapshot without its segments: found to be broken when it is restored.
    segments: Segments.safeParse(segments).data ?? [],
  }))
}

/** The bytes of a snapshot's segments, in order; those that are not there are left out. */
export async function readSegments(
  { prisma }: Store,
  { segments }: Pick<StoredSnapshot, 'segments'>,
): Promise<HashedSegment[]> {
  const read: HashedSegment[] = []
  // One by one: a state may be larger than what one answer should hold.
  for (const { name, hash } of segments) {
    const row = await prisma.snapshotSegment.findUnique({ where: { hash } })
    if (row) read.push({ name, hash, bytes: row.body })
  }
  return read
}

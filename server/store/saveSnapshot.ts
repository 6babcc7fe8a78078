import type { HashedSegment, StoredSnapshot } from '../contracts/snapshot'
import type { Store } from './client'
import type { Transaction } from './write/rows'

/** Snapshots that are kept: a broken one is no loss as long as the one before it reads. */
export const KEPT_SNAPSHOTS = 3

const DROP_OLD = `
  DELETE FROM snapshot
  WHERE position NOT IN (SELECT position FROM snapshot ORDER BY position DESC LIMIT $1::int)`

const DROP_UNUSED = `
  DELETE FROM snapshot_segment
  WHERE hash NOT IN (SELECT part ->> 'hash' FROM snapshot, jsonb_array_elements(segments) AS part)`

export interface SnapshotToSave extends Omit<StoredSnapshot, 'segments'> {
  readonly segments: readonly HashedSegment[]
}

/**
 * Keeps a snapshot, and drops those that are older than the last three. Only segments that are not kept already are
 * written, each by itself; the snapshot counts from when its own row stands, which names them all. `fence` refuses
 * inside that last transaction where the writer is no longer the leader.
 */
export async function saveSnapshot(
  { prisma }: Store,
  { segments, position, at, rulesVersion, format }: SnapshotToSave,
  fence: (tx: Transaction) => Promise<void> = async () => {},
): Promise<{ written: number }> {
  const known = await prisma.snapshotSegment.findMany({
    where: { hash: { in: segments.map(({ hash }) => hash) } },
    select: { hash: true },
  })
  const kept = new Set(known.map(({ hash }) => hash))
  let written = 0
  for (const { hash, bytes } of segments) {
    if (kept.has(hash)) continue
    kept.add(hash)
    await prisma.snapshotSegment.createMany({
      data: [{ hash, body: Uint8Array.from(bytes) }],
      skipDuplicates: true,
    })
    written += bytes.length
  }
  const row = {
    at,
    rulesVersion,
    format,
    bytes: segments.reduce((sum, { bytes }) => sum + bytes.length, 0),
    segments: segments.map(({ name, hash }) => ({ name, hash })),
  }
  await prisma.$transaction(
    async (tx) => {
      await fence(tx)
      await tx.snapshot.upsert({ where: { position }, create: { position, ...row }, update: row })
      await tx.$executeRawUnsafe(DROP_OLD, KEPT_SNAPSHOTS)
      await tx.$executeRawUnsafe(DROP_UNUSED)
    },
    { timeout: 60_000, maxWait: 10_000 },
  )
  return { written }
}

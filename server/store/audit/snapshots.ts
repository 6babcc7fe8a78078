import { z } from 'zod'
import type { Transaction } from '../write/rows'

const Segments = z.array(z.object({ name: z.string(), hash: z.string() }))

/** One segment of a stored snapshot. */
export interface StoredSegment {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Positions of the stored snapshots up to `to` that the journal goes on from, oldest first. */
export async function snapshotPositions(tx: Transaction, first: number, to: number): Promise<number[]> {
  const rows = await tx.$queryRawUnsafe<{ position: bigint }[]>(
    `SELECT position FROM snapshot WHERE position >= $1::bigint AND position <= $2::bigint ORDER BY position`,
    String(first - 1),
    String(to),
  )
  return rows.map(({ position }) => Number(position))
}

/** The segments of a snapshot; null when one of them is missing. */
export async function readSegments(tx: Transaction, position: number): Promise<StoredSegment[] | null> {
  const [row] = await tx.$queryRawUnsafe<{ segments: unknown }[]>(
    'SELECT segments FROM snapshot WHERE position = $1::bigint',
    String(position),
  )
  const listed = Segments.safeParse(row?.segments)
  if (!listed.success) return null
  const found: StoredSegment[] = []
  for (const { name, hash } of listed.data) {
    const [segment] = await tx.$queryRawUnsafe<{ body: Uint8Array }[]>(
      'SELECT body FROM snapshot_segment WHERE hash = $1',
      hash,
    )
    if (!segment) return null
    found.push({ name, bytes: segment.body })
  }
  return found
}

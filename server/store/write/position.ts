import type { Flush } from '../../contracts/flush'
import type { Transaction } from './rows'

const MOVE_POSITION = `
  INSERT INTO pipeline_state AS s (id, position, at, watermark, received, in_time, corrected, late, duplicate, quarantined,
    conflict, test, overflow)
  SELECT 1, $2::bigint, $3::bigint, $4::bigint, c.received, c."inTime", c.corrected, c.late, c.duplicate, c.quarantined,
    c.conflict, c.test, c.overflow
  FROM jsonb_to_record($5::jsonb) AS c(received bigint, "inTime" bigint, corrected bigint, late bigint, duplicate bigint,
    quarantined bigint, conflict bigint, test bigint, overflow bigint)
  WHERE $1::bigint = 0 OR EXISTS (SELECT FROM pipeline_state WHERE id = 1)
  ON CONFLICT (id) DO UPDATE SET
    position = excluded.position, at = excluded.at, watermark = excluded.watermark, received = excluded.received,
    in_time = excluded.in_time, corrected = excluded.corrected, late = excluded.late, duplicate = excluded.duplicate,
    quarantined = excluded.quarantined, conflict = excluded.conflict, test = excluded.test, overflow = excluded.overflow,
    flush_to = NULL, cursor = 0
  WHERE s.position = $1::bigint`

/** Moves the position and the pipeline's counters. False when the stored position is not `flush.prev`. */
export async function movePosition(tx: Transaction, flush: Flush): Promise<boolean> {
  const { prev, position, at, watermark, counts } = flush
  // As text: a driver takes a number that is no int4 for a float.
  const text = (n: number | null) => (n === null ? null : String(n))
  const moved = await tx.$executeRawUnsafe(
    MOVE_POSITION,
    ...[prev, position, at, watermark].map(text),
    JSON.stringify(counts),
  )
  return moved > 0
}

/** The stored position is the flush's own: it was written, and the answer to its COMMIT was lost. */
export async function isAt(tx: Transaction, flush: Flush): Promise<boolean> {
  if (flush.position === flush.prev) return false
  const rows = await tx.$queryRawUnsafe<{ position: bigint }[]>(
    'SELECT position FROM pipeline_state WHERE id = 1',
  )
  return Number(rows[0]?.position ?? 0) === flush.position
}

/** Says that a flush of several transactions has come so far. False when the stored position is not `flush.prev`. */
export async function noteProgress(
  tx: Transaction,
  { prev, position }: Flush,
  done: number,
): Promise<boolean> {
  const noted = await tx.$executeRawUnsafe(
    'UPDATE pipeline_state SET flush_to = $2::bigint, cursor = $3::int WHERE id = 1 AND position = $1::bigint',
    String(prev),
    String(position),
    done,
  )
  return noted > 0
}

import type { Store } from '../client'

/**
 * Journal time of the first record from which on the journal is whole and the outcomes of its events are kept, ms;
 * null when that is its very start. Infinity when no such record is there yet.
 */
export async function readWholeFrom({ prisma }: Store): Promise<number | null> {
  const [row] = await prisma.$queryRawUnsafe<
    { first: bigint | null; from: bigint | null; at: bigint | null }[]
  >(`
    SELECT (SELECT min(position) FROM journal) AS first, s.outcomes_from AS from,
      (SELECT at FROM journal WHERE position > s.outcomes_from ORDER BY position LIMIT 1) AS at
    FROM (SELECT coalesce((SELECT outcomes_from FROM pipeline_state WHERE id = 1), 0) AS outcomes_from) s`)
  if (!row) return null
  if (Number(row.from) === 0 && Number(row.first ?? 1) === 1) return null
  return row.at === null ? Number.POSITIVE_INFINITY : Number(row.at)
}

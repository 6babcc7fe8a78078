import type { Transaction } from '../write/rows'

/** The pipeline's clock and counters as stored, by the names that they have in the engine. */
export async function readPipelineRow(tx: Transaction): Promise<Record<string, number | null>> {
  const [row] = await tx.$queryRawUnsafe<Record<string, bigint | null>[]>(
    `SELECT at, watermark, received, in_time AS "inTime", corrected, late, duplicate, quarantined, conflict, test, overflow
     FROM pipeline_state WHERE id = 1`,
  )
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([name, value]) => [name, value === null ? null : Number(value)]),
  )
}

import type { Transaction } from '../write/rows'

/** Positions of damaged records that the engine passes over. */
export async function readSkipped(tx: Transaction): Promise<Set<number>> {
  const rows = await tx.$queryRawUnsafe<{ position: bigint }[]>('SELECT position FROM skipped_record')
  return new Set(rows.map(({ position }) => Number(position)))
}

import type { Transaction } from '../write/rows'

/** Removes snapshots, which hold hashes of ids; all of them, or all but the one at `keep`. */
export async function dropSnapshots(tx: Transaction, keep: number | null): Promise<void> {
  await tx.$executeRawUnsafe(
    'DELETE FROM snapshot WHERE position IS DISTINCT FROM $1::bigint',
    keep === null ? null : String(keep),
  )
  await tx.$executeRawUnsafe(
    `DELETE FROM snapshot_segment s WHERE NOT EXISTS (SELECT FROM snapshot n, jsonb_array_elements(n.segments) e
     WHERE e ->> 'hash' = s.hash)`,
  )
}

/** Puts the sketches of buyers that the fold has just made, in the audit's tables, in the place of the stored ones. */
export function replaceSketches(tx: Transaction, real: (table: string) => string): Promise<number> {
  return tx.$executeRawUnsafe(
    `UPDATE ${real('window_row')} w SET sketch_buyers = f.sketch_buyers FROM pg_temp.window_row f
     WHERE (w.view, w.version, w.window_id, w.key) = (f.view, f.version, f.window_id, f.key)
       AND w.sketch_buyers IS NOT NULL AND f.sketch_buyers IS NOT NULL AND w.sketch_buyers <> f.sketch_buyers`,
  )
}

/** What is kept of an erasure. Never the id, nor the pseudonym. */
export interface ErasureRow {
  readonly by: string
  readonly reason: string
  readonly sources: readonly string[]
  readonly position: number
  readonly records: number
  readonly events: number
  readonly rows: number
}

export async function insertErasure(tx: Transaction, row: ErasureRow): Promise<void> {
  await tx.erasure.create({ data: { ...row, sources: [...row.sources] } })
}

import type { Trimmed } from '../../contracts/retention'
import type { Store } from '../client'

/**
 * One statement, one transaction, at most `batch` rows: what a trim may hold up is that much.
 * @param keepFrom journal time, ms: what is older may go
 */
export type Trim = (store: Store, keepFrom: number, batch: number) => Promise<Trimmed>

/** A trim whose statement takes `$1` keepFrom and `$2` batch and returns how many rows it removed and wrote off. */
export function trim(sql: string): Trim {
  return async ({ prisma }, keepFrom, batch) => {
    const rows = await prisma.$queryRawUnsafe<{ removed: bigint; written_off: bigint }[]>(
      sql,
      String(keepFrom),
      batch,
    )
    return { removed: Number(rows[0]?.removed ?? 0), writtenOff: Number(rows[0]?.written_off ?? 0) }
  }
}

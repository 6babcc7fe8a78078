import type { LateFilter, LatePage } from '../../contracts/lateRow'
import { countLate, readLate } from '../../store/late/readLate'
import type { ReadDeps } from '../readDeps'

/** A page of the late store, newest first, and how many there are in all. */
export async function lateList({ store }: Pick<ReadDeps, 'store'>, filter: LateFilter): Promise<LatePage> {
  const [total, rows] = await Promise.all([countLate(store, filter), readLate(store, filter)])
  const last = rows.at(-1)
  const next = last && rows.length === filter.limit ? { position: last.position, row: last.row } : null
  return { total, rows, next }
}

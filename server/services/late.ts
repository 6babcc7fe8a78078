import type { LateEvent } from '../contracts/windowRow'
import { countLate, readLate } from '../store/readLate'
import type { ReadDeps } from './readDeps'

/** The late events that wait, newest first, and how many wait in all. */
export async function late(
  { store }: Pick<ReadDeps, 'store'>,
  { limit }: { readonly limit: number },
): Promise<{ total: number; rows: LateEvent[] }> {
  const [total, rows] = await Promise.all([countLate(store), readLate(store, limit)])
  return { total, rows }
}

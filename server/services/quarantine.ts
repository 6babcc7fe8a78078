import { countQuarantine, readQuarantine } from '../store/readQuarantine'
import type { QuarantinedRow } from './port'
import type { ReadDeps } from './readDeps'

/** The quarantined events that wait, newest first, and how many wait in all. */
export async function quarantine(
  { store }: Pick<ReadDeps, 'store'>,
  { limit }: { readonly limit: number },
): Promise<{ total: number; rows: QuarantinedRow[] }> {
  const [total, rows] = await Promise.all([countQuarantine(store), readQuarantine(store, limit)])
  return { total, rows }
}

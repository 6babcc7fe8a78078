import type { Notice } from '../contracts/notice'
import { readNotices } from '../store/readNotices'
import type { ReadDeps } from './readDeps'

/** What the engine noticed, newest first. */
export async function notices(
  { store }: Pick<ReadDeps, 'store'>,
  { limit }: { readonly limit: number },
): Promise<Notice[]> {
  return readNotices(store, limit)
}

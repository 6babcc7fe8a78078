import type { Revision } from '../contracts/windowRow'
import { readCorrections } from '../store/readCorrections'
import type { ReadDeps } from './readDeps'
import { correctedView } from './views'

/** Corrections of the total view, newest first. */
export async function corrections(
  { store, spec }: ReadDeps,
  { limit }: { readonly limit: number },
): Promise<Revision[]> {
  return readCorrections(store, correctedView(spec()), limit)
}

import type { CommandDone } from '../contracts/flush'
import { readCommands } from '../store/readCommands'
import type { ReadDeps } from './readDeps'

/** The commands that were given, done or refused, newest first. */
export async function commands(
  { store }: Pick<ReadDeps, 'store'>,
  { limit }: { readonly limit: number },
): Promise<CommandDone[]> {
  return readCommands(store, limit)
}

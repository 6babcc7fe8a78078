import type { CommandDone } from '../../contracts/flush'
import type { EventId } from '../../contracts/lateStore'
import { reading } from '../../store/databaseAway'
import { operatorOnly } from '../operatorOnly'
import type { Asking, LateDeps } from './deps'
import { resolveLate } from './resolve'

/**
 * Counts late or voided events after all, in every window that they belong to (semantics.md §6). Doing it twice does
 * nothing and says so. Throws AppError `forbidden`, `not_found`, `bad_request`; rejects as the journal does.
 */
export async function reinject(
  { store, runner, past }: LateDeps,
  { key, reason, events: ids }: Asking & { readonly events: readonly EventId[] },
): Promise<CommandDone> {
  await operatorOnly(store, key)
  const events = await resolveLate(store, ids)
  await reading(past.verify(events))
  return runner.command({ kind: 'reinject', events }, { by: key.name, reason })
}

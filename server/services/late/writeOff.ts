import type { CommandDone } from '../../contracts/flush'
import type { EventId } from '../../contracts/lateStore'
import { operatorOnly } from '../operatorOnly'
import type { Asking, LateDeps } from './deps'
import { resolveLate } from './resolve'

/**
 * Late events wait no more; they are in no figure. Re-injection undoes it. Throws AppError `forbidden`, `not_found`,
 * `bad_request`; rejects as the journal does.
 */
export async function writeOff(
  { store, runner }: LateDeps,
  { key, reason, events: ids }: Asking & { readonly events: readonly EventId[] },
): Promise<CommandDone> {
  await operatorOnly(store, key)
  const events = await resolveLate(store, ids)
  return runner.command({ kind: 'writeOff', events }, { by: key.name, reason })
}

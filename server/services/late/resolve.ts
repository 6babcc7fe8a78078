import { type EventId, type EventPlace, idName } from '../../contracts/lateStore'
import { AppError } from '../../platform/errors'
import type { Store } from '../../store/client'
import { reading } from '../../store/databaseAway'
import { readLatePlaces } from '../../store/late/placesOf'

/**
 * Where named events of the late store stand. Throws AppError `not_found` for ids that it does not have, and
 * `bad_request` for those that may still turn out to be repeats.
 */
export async function resolveLate(store: Store, ids: readonly EventId[]): Promise<EventPlace[]> {
  const places = await reading(readLatePlaces(store, ids))
  const known = new Set(places.map(idName))
  const missing = ids.filter((id) => !known.has(idName(id)))
  if (missing.length > 0) {
    throw new AppError('not_found', `The late store has no ${listed(missing)}. Nothing was done.`)
  }
  const unverified = places.filter(({ status }) => status === 'unverified')
  if (unverified.length > 0) {
    throw new AppError(
      'bad_request',
      `Tidemark still checks whether ${listed(unverified)} came before; that takes seconds. Nothing was done: ask again then.`,
    )
  }
  return places.map(({ status: _, ...place }) => place)
}

/** "e-1 of pos-3 and 11 others". */
export function listed(ids: readonly EventId[]): string {
  const [first] = ids
  const others = ids.length - 1
  const rest = others === 0 ? '' : ` and ${others.toLocaleString('en')} ${others === 1 ? 'other' : 'others'}`
  return `event ${first?.eventId} of ${first?.source}${rest}`
}

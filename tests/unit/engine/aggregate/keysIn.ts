import { BatchKeys } from '../../../../server/engine/aggregate/batchKeys'
import { hashTable } from '../../../../server/engine/aggregate/hash128'
import { batchOf, type Ev } from '../../../support/events'

/** The keys that a view by `groupBy` gives to events. */
export function keysIn(groupBy: readonly string[], events: readonly Partial<Ev>[]): BatchKeys {
  const batch = batchOf(events.map((event) => ({ ts: 0, ...event })))
  return new BatchKeys(batch, hashTable(batch.strings), groupBy)
}

import type { EventBatch } from '../../contracts/eventBatch'
import type { EventId, EventPlace } from '../../contracts/lateStore'
import { stringAt } from '../../contracts/stringTable'
import { IdSearch } from '../../engine/reconcile/idSearch'
import type { PastRecord } from '../../engine/reconcile/pastScan'
import type { LateHistory } from './history'

/** Positions that are read at once. */
const AT_ONCE = 10_000

/** As of before a position: the counted event of each id, by one pass over the journal; ids without one are left out. */
export async function countedByIds(
  history: LateHistory,
  ids: readonly EventId[],
  before: number,
): Promise<EventPlace[]> {
  const search = new IdSearch(ids)
  const sources = [...new Set(ids.map(({ source }) => source))]
  for await (const record of history.after(0, sources, before)) {
    search.see(record)
    if (search.hits.size === ids.length) break
    await new Promise((resolve) => setImmediate(resolve))
  }
  return [...search.hits.values()].map(({ id, position, row }) => ({ ...id, position, row }))
}

/** Counted events of a source in `[from, to)` of event time, ms; in the order of the journal, at most `limit`. */
export async function countedInTime(
  history: LateHistory,
  { source, from, to }: { readonly source: string; readonly from: number; readonly to: number },
  before: number,
  limit: number,
): Promise<EventPlace[]> {
  const found: EventPlace[] = []
  for await (const record of history.within({ from, to }, false, before)) {
    const { eventTime } = record.batch
    const inTime = (row: number) => from <= (eventTime[row] ?? 0) && (eventTime[row] ?? 0) < to
    found.push(...placesIn(record, (row) => inTime(row), source))
    if (found.length >= limit) break
  }
  return found.slice(0, limit)
}

/** Counted events at journal positions `first` to `last`; of one source where it is named. */
export async function countedAt(
  history: LateHistory,
  { first, last, source }: { readonly first: number; readonly last: number; readonly source?: string },
  before: number,
  limit: number,
): Promise<EventPlace[]> {
  const found: EventPlace[] = []
  const end = Math.min(last, before - 1)
  for (let from = first; from <= end && found.length < limit; from += AT_ONCE) {
    const positions = Array.from({ length: Math.min(AT_ONCE, end - from + 1) }, (_, i) => from + i)
    for await (const record of history.at(positions, before))
      found.push(...placesIn(record, () => true, source))
  }
  return found.slice(0, limit)
}

function placesIn(record: PastRecord, wanted: (row: number) => boolean, source?: string): EventPlace[] {
  const { batch, position } = record
  const places: EventPlace[] = []
  for (let row = 0; row < batch.count; row++) {
    if (!record.counted(row) || !wanted(row)) continue
    const id = idAt(batch, row)
    if (source === undefined || id.source === source) places.push({ ...id, position, row })
  }
  return places
}

function idAt({ strings, source, eventId }: EventBatch, row: number): EventId {
  return { source: stringAt(strings, source[row] ?? 0), eventId: stringAt(strings, eventId[row] ?? 0) }
}

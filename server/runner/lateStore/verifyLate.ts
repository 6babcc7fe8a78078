import { type EventPlace, idName, MOST_EVENTS_A_COMMAND } from '../../contracts/lateStore'
import { hashTable } from '../../engine/aggregate/hash128'
import { contentHashes } from '../../engine/contentHash'
import { type Hit, IdSearch } from '../../engine/reconcile/idSearch'
import type { Store } from '../../store/client'
import { markVerified, readUnverified, type UnverifiedRow } from '../../store/late/unverified'
import { pipelinePosition } from '../../store/pipelinePosition'
import type { RunnerPort } from '../port'
import type { LateHistory } from './history'

/** Who gives the commands that Tidemark gives by itself. */
const TIDEMARK = 'tidemark'

export interface VerifyDeps {
  readonly store: Store
  readonly history: LateHistory
  readonly runner: Pick<RunnerPort, 'command'>
  /** Nobody waits for the answer any more; a pass ends early, with an error. */
  readonly stopped?: () => boolean
}

export interface Verified {
  /** Late events that wait from now on. */
  readonly waiting: number
  readonly duplicates: number
}

/**
 * Looks whether late events are repeats of counted ones (semantics.md §6): one pass over the retained journal for all
 * that are not verified, up to 5,000 at a time. A repeat may claim another time, so its own time does not find the
 * first. Proven repeats become `duplicate` by a command; the others wait. Rejects as database and journal do.
 */
export async function verifyLate(deps: VerifyDeps): Promise<Verified> {
  const { store, history } = deps
  const rows = await readUnverified(store, MOST_EVENTS_A_COMMAND)
  if (rows.length === 0) return { waiting: 0, duplicates: 0 }
  const to = await pipelinePosition(store)
  const unverified = rows.filter(({ status }) => status === 'unverified')
  const hits = await search(unverified, to, deps)
  const known = rows.filter(({ status }) => status !== 'unverified').map(placeOf)
  const found = unverified.map(placeOf).filter((place) => hits.has(idName(place)))
  await confirm(deps, [
    ...(await withConflicts(found, hits, to, history)),
    ...known.map((place) => ({ ...place, conflict: false })),
  ])
  const waiting = unverified.filter((row) => !hits.has(idName(placeOf(row))))
  await markVerified(store, waiting, to)
  return { waiting: waiting.length, duplicates: found.length + known.length }
}

/** Notes up to where no counted event has the ids of these late ones, so that the fold need not look as far. */
export async function verifyFurther(
  deps: Omit<VerifyDeps, 'runner'>,
  places: readonly EventPlace[],
): Promise<void> {
  const { store } = deps
  const to = await pipelinePosition(store)
  const rows = places.map(({ source, eventId, position, row }) => ({
    source,
    event_id: eventId,
    position: BigInt(position),
    row,
  }))
  const hits = await search(rows, to, deps)
  await markVerified(
    store,
    rows.filter((row) => !hits.has(idName(placeOf(row)))),
    to,
  )
}

type Placed = Omit<UnverifiedRow, 'status'>

function placeOf({ source, event_id: eventId, position, row }: Placed): EventPlace {
  return { source, eventId, position: Number(position), row }
}

async function search(
  rows: readonly Placed[],
  to: number,
  { history, stopped }: Pick<VerifyDeps, 'history' | 'stopped'>,
): Promise<ReadonlyMap<string, Hit>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(placeOf)
  const known = await history.ids(ids, to + 1)
  let from = to
  for (const id of ids) from = Math.min(from, known.get(idName(id))?.verifiedTo ?? 0)
  const wanted = new IdSearch(ids)
  const sources = [...new Set(ids.map(({ source }) => source))]
  for await (const record of history.after(from, sources, to + 1)) {
    if (stopped?.()) throw new Error('stopping: the rest is looked at by the next start')
    wanted.see(record)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return wanted.hits
}

/** A repeat whose time or content is not that of the first is a conflict: an amended order needs a new id. */
async function withConflicts(
  places: readonly EventPlace[],
  hits: ReadonlyMap<string, Hit>,
  to: number,
  history: LateHistory,
) {
  const contents = new Map<string, number>()
  const positions = [...new Set(places.map(({ position }) => position))].sort((a, b) => a - b)
  const rowsAt = new Map(
    positions.map((position) => [position, places.filter((p) => p.position === position)]),
  )
  for await (const { position, batch } of history.at(positions, to + 1)) {
    const hashes = contentHashes(batch, hashTable(batch.strings))
    for (const place of rowsAt.get(position) ?? []) contents.set(idName(place), hashes[place.row] ?? 0)
  }
  return places.map((place) => {
    const name = idName(place)
    return { ...place, conflict: contents.get(name) !== hits.get(name)?.content }
  })
}

async function confirm(
  { store, runner }: VerifyDeps,
  events: readonly (EventPlace & { readonly conflict: boolean })[],
): Promise<void> {
  if (events.length === 0) return
  const command = { kind: 'confirmDuplicates' as const, events: [...events] }
  const { position } = await runner.command(command, {
    by: TIDEMARK,
    reason: 'their ids were counted before',
  })
  await committed(store, position)
}

/** Until then the rows look as before, and would be told of again. */
export async function committed(store: Store, position: number): Promise<void> {
  while ((await pipelinePosition(store)) < position) await new Promise((resolve) => setTimeout(resolve, 50))
}

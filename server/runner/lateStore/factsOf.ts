import type { LateCommand } from '../../contracts/command'
import { type EventFields, eventAt } from '../../contracts/eventBatch'
import { type EventPlace, idName } from '../../contracts/lateStore'
import type { EventFacts } from '../../engine/reconcile/facts'
import { IdSearch } from '../../engine/reconcile/idSearch'
import type { EngineState, PipelineState } from '../../engine/state'
import type { IdFacts, LateHistory } from './history'

const NOTHING: IdFacts = { last: null, moved: null, came: 0, settled: 0, verifiedTo: 0 }

interface Found {
  readonly event: EventFields
  readonly counted: boolean
  readonly corrected: boolean
}

/** What is known of each event that a command names, as of before its position. */
export async function factsOf(
  state: EngineState,
  pipeline: PipelineState,
  command: LateCommand,
  before: number,
  history: LateHistory,
): Promise<EventFacts[]> {
  const ids = await history.ids(command.events, before)
  const found =
    command.kind === 'confirmDuplicates' ? new Map() : await findEvents(command.events, before, history)
  const elsewhere = command.kind === 'reinject' ? await repeats(command, before, ids, history) : null
  const whole = await history.wholeFrom()
  return command.events.map((given) => {
    const { conflict = false, ...place } = { conflict: false, ...given }
    const id = ids.get(idName(place)) ?? NOTHING
    const there: Found | undefined = found.get(placeName(place))
    return {
      place,
      event: there?.event ?? null,
      counted: there?.counted ?? false,
      corrected: there?.corrected ?? false,
      last: id.last,
      moved: id.moved,
      unsettled: id.came - id.settled,
      cameLate: id.came > 0,
      countedElsewhere: elsewhere?.has(idName(place)) ?? false,
      conflict,
      incomplete: there ? isIncomplete(state, pipeline, command, there.event, whole) : false,
    }
  })
}

function placeName({ position, row, ...id }: EventPlace): string {
  return `${position} ${row} ${idName(id)}`
}

async function findEvents(
  places: readonly EventPlace[],
  before: number,
  history: LateHistory,
): Promise<Map<string, Found>> {
  const rows = new Map<number, number[]>()
  for (const { position, row } of places) {
    const known = rows.get(position)
    if (known) known.push(row)
    else rows.set(position, [row])
  }
  const found = new Map<string, Found>()
  const positions = [...rows.keys()].sort((a, b) => a - b)
  for await (const record of history.at(positions, before)) {
    const { position, batch } = record
    for (const row of rows.get(position) ?? []) {
      if (row >= batch.count) continue
      const event = eventAt(batch, row)
      const place = { source: event.source, eventId: event.eventId, position, row }
      found.set(placeName(place), { event, counted: record.counted(row), corrected: record.corrected(row) })
    }
  }
  return found
}

/** Ids of which another event is counted, by a pass over what no earlier one has covered. */
async function repeats(
  { events }: LateCommand,
  before: number,
  ids: ReadonlyMap<string, IdFacts>,
  history: LateHistory,
): Promise<Set<string>> {
  const counted = new Set<string>()
  let from = before
  for (const id of events) from = Math.min(from, ids.get(idName(id))?.verifiedTo ?? 0)
  if (from >= before - 1) return counted
  const search = new IdSearch(events)
  for await (const record of history.after(from, [...new Set(events.map((e) => e.source))], before)) {
    search.see(record)
    await new Promise((resolve) => setImmediate(resolve))
  }
  // What is counted itself is told by the event's own facts.
  const own = new Set(events.map(placeName))
  for (const [name, { id, position, row }] of search.hits) {
    if (!own.has(placeName({ ...id, position, row }))) counted.add(name)
  }
  return counted
}

/**
 * Whether other events of the windows that the command recomputes may be gone from the journal. An event is received
 * at the earliest `maxFutureSkew` before it happened, so what was received before `whole` happened up to that after it.
 */
function isIncomplete(
  state: EngineState,
  pipeline: PipelineState,
  { kind }: LateCommand,
  event: EventFields,
  whole: number | null,
): boolean {
  if (whole === null) return false
  const now = { at: state.at, watermark: state.clock.watermark }
  return pipeline.views.some((view) => {
    const from = view.spec.time === 'journal' ? whole : whole + pipeline.spec.maxFutureSkew
    const places = view.placesOf(event.eventTime, event.journalTime, now)
    return places.some(({ start, closed }) => (closed || kind === 'void') && start <= from)
  })
}

import type { LateCommand } from '../../contracts/command'
import type { VoidedEvent } from '../../contracts/lateStore'
import type { Done } from '../done'
import type { Emitter } from '../emitter'
import { type Counts, countsOf, type EngineState, type PipelineState } from '../state'
import { type EventFacts, PROBLEMS } from './facts'
import { type ReconcileMoment, WindowsFold } from './foldWindows'
import type { Hydration } from './hydration'
import type { Judged } from './judge'
import { CHANGES, moveCounts } from './moveCounts'

const DID: Readonly<Record<LateCommand['kind'], string>> = {
  reinject: 're-injected',
  void: 'voided',
  writeOff: 'written off',
  confirmDuplicates: 'found to be repeats',
}

/** A command that changes what windows count. */
export function changesWindows(kind: LateCommand['kind']): boolean {
  return kind === 'reinject' || kind === 'void'
}

/** Why a pipeline's windows cannot be reconciled; null: they can. */
export function notReconcilable({ views, base }: PipelineState): string | null {
  const sessions = views.find((view) => view.spec.window.kind === 'session')
  if (sessions) {
    return `view ${sessions.spec.id} counts sessions, which cannot be recomputed once they are closed: late events can only be written off`
  }
  const { kind } = base.spec.window
  if (kind !== 'sliding' && kind !== 'cumulate') return null
  return `the windows of ${base.spec.id}, the base view, overlap, so that an event may be counted in some of them only: late events can only be written off unless the pipeline has a tumbling view`
}

/**
 * Applies a command of the late store to the state as it was before the command's record, with what the journal held
 * until then (semantics.md §6). What does not apply to an event changes nothing and is said; the same command twice
 * does nothing the second time.
 */
export function foldLate(
  state: EngineState,
  pipeline: PipelineState,
  command: LateCommand,
  hydration: Hydration,
  moment: { readonly at: number; readonly by: string },
  emit: Emitter,
): Done {
  const { kind } = command
  const refused = changesWindows(kind) ? notReconcilable(pipeline) : null
  if (refused) return { refused }
  const { accepted } = hydration.judged
  if (accepted.length === 0) return { refused: `nothing to do: ${problemsOf(hydration.judged).join('; ')}` }
  const now: ReconcileMoment = { ...moment, watermark: state.clock.watermark }
  if (changesWindows(kind)) foldWindows(state, pipeline, kind, hydration, now, emit)
  for (const facts of accepted) change(state, pipeline, kind, facts, emit)
  for (const counts of [state.counts, ...state.countsBySource.values()]) capOverflow(counts)
  return { changes: [`${events(accepted.length)} ${DID[kind]}`, ...problemsOf(hydration.judged)] }
}

function foldWindows(
  state: EngineState,
  pipeline: PipelineState,
  kind: LateCommand['kind'],
  hydration: Hydration,
  now: ReconcileMoment,
  emit: Emitter,
): void {
  const folded = new WindowsFold(state, pipeline, kind, hydration, now, emit).run()
  for (const { row, overflow } of folded) {
    const facts = hydration.judged.accepted[row]
    if (!overflow || !facts) continue
    const by = kind === 'reinject' ? 1 : -1
    for (const counts of [state.counts, countsOf(state, facts.place.source)]) moveOverflow(counts, by)
  }
}

function moveOverflow(counts: Counts, by: 1 | -1): void {
  counts.overflow = Math.max(0, counts.overflow + by)
}

/** A part of inTime and corrected: an event that was folded away and whose key has a row since is not told apart. */
function capOverflow(counts: Counts): void {
  counts.overflow = Math.min(counts.overflow, counts.inTime + counts.corrected)
}

function change(
  state: EngineState,
  pipeline: PipelineState,
  kind: LateCommand['kind'],
  facts: EventFacts,
  emit: Emitter,
): void {
  const { source, eventId, position, row } = facts.place
  const settles = moveCounts(state, kind, facts)
  const conflict = kind === 'confirmDuplicates' && facts.conflict
  if (conflict) {
    for (const counts of [state.counts, countsOf(state, source)]) counts.conflict += settles
  }
  const voided = kind === 'void' ? voidedOf(pipeline, facts, state) : null
  emit.outcome.lateChanges.push({
    ...{ source, eventId, position, row },
    ...{ change: CHANGES[kind], settles, conflict, voided },
  })
}

function voidedOf({ base }: PipelineState, { event }: EventFacts, state: EngineState): VoidedEvent | null {
  if (!event) return null
  const now = { at: state.at, watermark: state.clock.watermark }
  const [place] = base.placesOf(event.eventTime, event.journalTime, now)
  return place ? { event, windowStart: place.start, windowEnd: place.end } : null
}

/** "3 events are counted already", for each way in which the command did not apply. */
function problemsOf({ problems }: Judged): string[] {
  return [...problems].map(
    ([problem, count]) => `${events(count)} ${count === 1 ? 'is' : 'are'} ${PROBLEMS[problem]}`,
  )
}

function events(count: number): string {
  return count === 1 ? '1 event' : `${count.toLocaleString('en')} events`
}

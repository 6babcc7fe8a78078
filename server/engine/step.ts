import { isLateCommand } from '../contracts/command'
import type { JournalRecord } from '../contracts/journalRecord'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { Rejected } from '../contracts/quarantine'
import { type Filled, switchSpec } from './backfill/switchSpec'
import { align } from './clock/drift'
import { Emitter } from './emitter'
import { foldCommand, outcomeOf } from './foldCommand'
import { BatchFold } from './foldEvents'
import type { StepOutcome } from './outcome'
import { advance, passTime } from './passTime'
import { foldLate } from './reconcile/foldLate'
import type { Hydration } from './reconcile/hydration'
import { countsOf, type EngineState, newPipeline, type PipelineState, settingsOf, tally } from './state'

/** What some commands need beside the state: a function of the journal before their position. */
export type Past = Hydration | Filled

/**
 * Folds one record into the state, and says what it did. A function of state and record alone: no clock, no disk,
 * no chance (design.md §1.3). Throws RangeError only for a journal that is not one: a position out of order, or
 * events before the first spec; or a command without what the journal held before it (`hydration`).
 */
export function step(state: EngineState, record: JournalRecord, hydration?: Past): StepOutcome {
  if (record.position <= state.position) {
    throw new RangeError(`journal position ${record.position} does not follow ${state.position}`)
  }
  const emit = new Emitter(record.position)
  state.position = record.position
  // Nothing of a damaged record can be trusted, its time neither.
  if (record.kind === 'skipped') return emit.outcome
  if (record.kind === 'spec') foldSpec(state, record.spec, record.at)
  else fold(state, record, emit, hydration)
  // Journal time never goes back; the records' writer sees to it, and the state does not depend on that.
  if (record.at > state.at) state.at = record.at
  return emit.outcome
}

function foldSpec(state: EngineState, spec: PipelineSpec, at: number): void {
  if (state.pipeline) throw new RangeError('a second spec record: later definitions come as commands')
  state.pipeline = newPipeline(spec)
  state.clock.lastSpokeAt = at
  for (const source of spec.sources) {
    state.clock.add(source.name, true, settingsOf(spec, source), at)
    countsOf(state, source.name)
  }
}

function fold(
  state: EngineState,
  record: Exclude<JournalRecord, { kind: 'spec' | 'skipped' }>,
  emit: Emitter,
  hydration?: Past,
): void {
  if (!state.pipeline) throw new RangeError(`a ${record.kind} record before the first spec record`)
  // Both folds stand at the record before: what time does at this one, it does to the views that were filled.
  if (record.kind === 'command') foldSwitch(state, record, emit, hydration)
  const { pipeline, clock } = state
  const { at } = record
  if (record.kind === 'events') {
    new BatchFold(state, pipeline, record, emit).run()
    countRejected(state, record.rejected)
  }
  // Before time passes: what the journal held until then is of the windows as they stood until then.
  if (record.kind === 'command') foldLateStore(state, pipeline, record, emit, hydration)
  if (record.kind === 'resumed' && clock.resume(record.pausedAt, at)) advance(state, pipeline, at, emit)
  passTime(state, pipeline, at, emit)
  if (record.kind === 'paused') clock.pause(at)
  if (record.kind === 'command' && !isLateCommand(record.command) && emit.outcome.command === null) {
    emit.outcome.command = foldCommand(state, pipeline, record.command, at, emit)
  }
  // Time passes first: what is idle by now is left out of the windows that the end closes.
  if (record.kind === 'end' && clock.end()) advance(state, pipeline, at, emit)
  noteDrift(state, pipeline, at, emit)
}

function foldSwitch(
  state: EngineState,
  record: Extract<JournalRecord, { kind: 'command' }>,
  emit: Emitter,
  past?: Past,
): void {
  const { command } = record
  if (command.kind !== 'switchSpec') return
  const done = switchSpec(state, command.change, filledOf(record, past), emit)
  emit.outcome.command = outcomeOf(state, command, done)
}

function foldLateStore(
  state: EngineState,
  pipeline: PipelineState,
  { command, order, at, position }: Extract<JournalRecord, { kind: 'command' }>,
  emit: Emitter,
  hydration?: Past,
): void {
  if (!isLateCommand(command)) return
  if (!hydration || 'filled' in hydration) throw withoutPast(position)
  const done = foldLate(state, pipeline, command, hydration, { at, by: order.by }, emit)
  emit.outcome.command = outcomeOf(state, command, done)
}

function filledOf({ position }: JournalRecord, past?: Past): Filled {
  if (past && 'filled' in past) return past
  throw withoutPast(position)
}

function withoutPast(position: number): RangeError {
  return new RangeError(`the command at position ${position} needs what the journal held before it`)
}

/** Rejected events are received and counted; they move no watermark and start no timer (semantics.md §2, §3). */
function countRejected(state: EngineState, rejected: readonly Rejected[]): void {
  for (const { source } of rejected) {
    const counts = countsOf(state, source)
    tally(state, counts, 'received')
    tally(state, counts, 'quarantined')
  }
}

function noteDrift(state: EngineState, pipeline: PipelineState, at: number, emit: Emitter): void {
  for (const source of align(state.clock.sources.values(), pipeline.spec.maxDrift)) {
    emit.notice(source.wouldPause ? 'drift_over_limit' : 'drift_over', source.name, at)
  }
}

import type { JournalRecord } from '../contracts/journalRecord'
import type { Rejected } from '../contracts/quarantine'
import { advance } from './advance'
import { BatchFold } from './foldEvents'
import { emptyOutcome, type StepOutcome } from './outcome'
import { countsOf, type EngineState, newPipeline, settingsOf } from './state'

/**
 * Folds one record into the state, and says what it did. A function of state and record alone: no clock, no disk,
 * no chance (design.md §1.3). Throws RangeError only for a journal that is not one: a position out of order, or
 * events before the first spec.
 */
export function step(state: EngineState, record: JournalRecord): StepOutcome {
  if (record.position <= state.position) {
    throw new RangeError(`journal position ${record.position} does not follow ${state.position}`)
  }
  const outcome = emptyOutcome()
  state.position = record.position
  if (record.kind === 'spec') foldSpec(state, record)
  else fold(state, record, outcome)
  // Journal time never goes back; the records' writer sees to it, and the state does not depend on that.
  if (record.at > state.at) state.at = record.at
  return outcome
}

function foldSpec(state: EngineState, record: Extract<JournalRecord, { kind: 'spec' }>): void {
  if (state.pipeline)
    throw new RangeError('a second spec record: spec changes have a record kind of their own')
  state.pipeline = newPipeline(record.spec)
  for (const source of record.spec.sources) {
    state.clock.add(source.name, true, settingsOf(record.spec, source), record.at)
    countsOf(state, source.name)
  }
}

function fold(
  state: EngineState,
  record: Exclude<JournalRecord, { kind: 'spec' }>,
  outcome: StepOutcome,
): void {
  const { pipeline, clock } = state
  if (!pipeline) throw new RangeError(`a ${record.kind} record before the first spec record`)
  if (record.kind === 'events') {
    new BatchFold(state, pipeline, record.batch, outcome).run()
    countRejected(state, record.rejected)
  }
  const rose =
    record.kind === 'resumed' ? clock.resume(record.pausedAt, record.at) : clock.passTime(record.at)
  if (rose) advance(state, pipeline, record.at, outcome)
  // Time passes first: what is idle by now is left out of the windows that the end closes.
  if (record.kind === 'end' && clock.end()) advance(state, pipeline, record.at, outcome)
}

/** Rejected events are received and counted; they move no watermark and start no timer (semantics.md §2, §3). */
function countRejected(state: EngineState, rejected: readonly Rejected[]): void {
  for (const { source } of rejected) {
    const counts = countsOf(state, source)
    counts.received++
    counts.quarantined++
    state.counts.received++
    state.counts.quarantined++
  }
}

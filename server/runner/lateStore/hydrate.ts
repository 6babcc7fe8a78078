import type { LateCommand } from '../../contracts/command'
import { EventBatchBuilder } from '../../contracts/eventBatch'
import type { EventFacts } from '../../engine/reconcile/facts'
import { changesWindows, notReconcilable } from '../../engine/reconcile/foldLate'
import type { Hydration } from '../../engine/reconcile/hydration'
import { Hydrator } from '../../engine/reconcile/hydrator'
import { type Judged, judgeAll } from '../../engine/reconcile/judge'
import type { PastScan } from '../../engine/reconcile/pastScan'
import type { EngineState, PipelineState } from '../../engine/state'
import { factsOf } from './factsOf'
import type { LateHistory } from './history'

const NOBODY: Judged = { accepted: [], problems: new Map() }

/**
 * Loads what the fold of a late-store command needs, as of before its position. The state is that of the record before
 * it, all of whose results must be committed. Lets others have their turn between records; memory is that of the rows
 * that the command touches. Rejects as the database does.
 */
export async function hydrate(
  state: EngineState,
  command: LateCommand,
  before: number,
  history: LateHistory,
): Promise<Hydration> {
  const { pipeline } = state
  if (!pipeline) throw new RangeError('a command before the first spec record')
  // The fold refuses it and says why.
  if (changesWindows(command.kind) && notReconcilable(pipeline)) return nothing(NOBODY)
  const facts: readonly EventFacts[] = await factsOf(state, pipeline, command, before, history)
  const judged = judgeAll(command.kind, facts)
  if (!changesWindows(command.kind) || judged.accepted.length === 0) return nothing(judged)
  return hydrateWindows(state, pipeline, command, judged, before, history)
}

async function hydrateWindows(
  state: EngineState,
  pipeline: PipelineState,
  command: LateCommand,
  judged: Judged,
  before: number,
  history: LateHistory,
): Promise<Hydration> {
  const hydrator = new Hydrator(state, pipeline, command.kind, judged)
  const found = await history.windows(hydrator.wanted(), before)
  const folded = hydrator.resolve(found)
  const keys = folded.length > 0 ? await history.keys(folded, before) : new Map()
  const { byEvent, byJournal } = hydrator.scans(keys)
  await pass(byEvent, false, before, history)
  await pass(byJournal, true, before, history)
  return hydrator.done()
}

async function pass(scan: PastScan, byJournal: boolean, before: number, history: LateHistory): Promise<void> {
  for (const stretch of scan.stretches()) {
    for await (const record of history.within(stretch, byJournal, before)) {
      scan.see(record, stretch)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

function nothing(judged: Judged): Hydration {
  const batch = new EventBatchBuilder().build()
  return { judged, batch, touches: [], stored: new Map(), past: new Map() }
}

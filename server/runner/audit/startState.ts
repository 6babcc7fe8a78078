import { restoreSnapshot, SnapshotError } from '../../engine/snapshot'
import { type EngineState, initialState } from '../../engine/state'
import type { AuditScope } from '../../store/audit/scope'
import { readSegments, snapshotPositions } from '../../store/audit/snapshots'
import type { Transaction } from '../../store/write/rows'
import { AuditProblem } from './problem'

/**
 * Where the fold begins: at nothing where the journal is whole; where retention has trimmed it, at the oldest snapshot
 * that the journal goes on from and that can be read. Throws AuditProblem when there is none.
 */
export async function startState(tx: Transaction, scope: AuditScope): Promise<EngineState> {
  const { first, position } = scope
  if (first === null || first === 1) return initialState()
  for (const at of await snapshotPositions(tx, first, position)) {
    const state = await restored(tx, at)
    if (state) return state
  }
  throw new AuditProblem(
    `the journal begins at position ${first}, and no snapshot can be read that it goes on from: nothing can be recomputed`,
  )
}

async function restored(tx: Transaction, position: number): Promise<EngineState | null> {
  const segments = await readSegments(tx, position)
  if (!segments) return null
  try {
    return restoreSnapshot(segments)
  } catch (error) {
    if (error instanceof SnapshotError) return null
    throw error
  }
}

import { createHash } from 'node:crypto'
import type { HashedSegment, StoredSnapshot } from '../contracts/snapshot'
import { restoreSnapshot, SnapshotError } from '../engine/snapshot'
import { type EngineState, initialState } from '../engine/state'
import type { Logger } from '../platform/logger'
import { StartupError } from '../platform/startupError'

/** The kept snapshots, as the runner knows them. */
export interface SnapshotSource {
  /** Up to a position, newest first. */
  list(upTo: number): Promise<readonly StoredSnapshot[]>
  segments(snapshot: StoredSnapshot): Promise<readonly HashedSegment[]>
}

export interface RecoveryDeps {
  readonly snapshots: SnapshotSource
  readonly logger: Logger
}

/**
 * The state to begin with: the newest snapshot that reads, at or below `committed` (what came after it is folded
 * again, and what is committed is not written twice), or an empty one. A broken snapshot is named and passed over.
 * `first` is the position at which the journal begins. Throws StartupError when it no longer reaches back to what is
 * left to begin with.
 */
export async function recoverState(
  { snapshots, logger }: RecoveryDeps,
  committed: number,
  first: number,
): Promise<EngineState> {
  for (const snapshot of await snapshots.list(committed)) {
    try {
      const state = await restore(snapshots, snapshot)
      if (state.position + 1 < first) break
      return state
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      logger.error(
        { err: error, position: snapshot.position },
        'a snapshot is broken; the one before is taken',
      )
    }
  }
  if (first <= 1) return initialState()
  throw new StartupError(
    `no snapshot can be read, and the journal begins at position ${first} only`,
    'Restore the newest backup (`npm run restore`), and let the producers send again what came after it: ids make that harmless.',
  )
}

async function restore(snapshots: SnapshotSource, snapshot: StoredSnapshot): Promise<EngineState> {
  const segments = await snapshots.segments(snapshot)
  for (const { name, hash, bytes } of segments) {
    if (hashOf(bytes) !== hash) throw new SnapshotError(`snapshot segment ${JSON.stringify(name)} is damaged`)
  }
  const state = restoreSnapshot(segments)
  if (state.position === snapshot.position) return state
  throw new SnapshotError(`the snapshot is of position ${state.position}, not ${snapshot.position}`)
}

/** By which a segment is kept: SHA-256, hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

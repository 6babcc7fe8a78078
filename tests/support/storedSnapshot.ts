import { createHash } from 'node:crypto'
import { RULES_VERSION } from '@/server/contracts/pipelineSpec'
import { SNAPSHOT_FORMAT, takeSnapshot } from '@/server/engine/snapshot'
import { initialState } from '@/server/engine/state'
import { step } from '@/server/engine/step'
import { toRecord } from '@/server/journal/rows'
import { readRows } from '@/server/journal/table'
import type { Store } from '@/server/store/client'

/** Folds the journal up to `position` and stores the state there as a snapshot. */
export async function storeSnapshot(store: Store, position: number): Promise<void> {
  const state = initialState()
  for (const row of await readRows(store, 0, position)) step(state, toRecord(row))
  const segments = takeSnapshot(state).map(({ name, bytes }) => ({
    name,
    hash: createHash('sha256').update(bytes).digest('hex'),
    bytes,
  }))
  const bodies = segments.map(({ hash, bytes }) => ({ hash, body: Uint8Array.from(bytes) }))
  await store.prisma.snapshotSegment.createMany({ data: bodies, skipDuplicates: true })
  await store.prisma.snapshot.create({
    data: {
      position,
      at: state.at,
      rulesVersion: RULES_VERSION,
      format: SNAPSHOT_FORMAT,
      bytes: segments.reduce((sum, { bytes }) => sum + bytes.length, 0),
      segments: segments.map(({ name, hash }) => ({ name, hash })),
    },
  })
}

import type { Flush } from '../contracts/flush'
import type { Store } from './client'
import { insertCommands, insertSpecs } from './write/commands'
import { insertMissed, upsertLate } from './write/lateEvents'
import { applyLateChanges, insertOccurrences, insertOutcomes } from './write/lateFacts'
import { insertNotices } from './write/notices'
import { isAt, movePosition } from './write/position'
import { insertQuarantine } from './write/quarantine'
import { insertRevisions } from './write/revisions'
import type { Transaction } from './write/rows'
import { upsertSources } from './write/sources'
import { closeWindows, upsertWindowRows } from './write/windowRows'

/** Quarantined events kept for each source. */
const MOST_QUARANTINED = 10_000

/** The position in the database is not the one that this flush follows on: another server writes results. */
export class PositionMoved extends Error {
  override readonly name = 'PositionMoved'
}

/**
 * Writes one flush in one transaction: everything that its records did, the counters and the position (design.md
 * §1.4). Rejects with PositionMoved when `flush.prev` is not the stored position. A flush whose COMMIT answer was
 * lost may be given again: its own position is then the stored one, and nothing is written twice.
 */
export async function commitFlush(
  { prisma }: Store,
  flush: Flush,
  mostQuarantined = MOST_QUARANTINED,
): Promise<void> {
  await prisma.$transaction(
    async (tx) => {
      if (await movePosition(tx, flush)) return writeAll(tx, flush, mostQuarantined)
      if (await isAt(tx, flush)) return
      throw new PositionMoved(
        `results are no longer at position ${flush.prev}: another server writes to this database`,
      )
    },
    { timeout: 60_000, maxWait: 10_000 },
  )
}

async function writeAll(tx: Transaction, flush: Flush, mostQuarantined: number): Promise<void> {
  await upsertWindowRows(tx, flush.rows)
  await insertRevisions(tx, flush.revisions)
  // After the rows: a window may fire and close within one flush.
  await closeWindows(tx, flush.closed)
  await upsertLate(tx, flush.late)
  await insertOccurrences(tx, flush.lateOccurrences)
  await applyLateChanges(tx, flush.lateChanges)
  await insertOutcomes(tx, flush.outcomes)
  await insertMissed(tx, flush.missed)
  // Before the quarantine, which counts there what it writes off.
  await upsertSources(tx, flush.sources)
  await insertQuarantine(tx, flush.quarantined, mostQuarantined)
  await insertNotices(tx, flush.notices)
  await insertCommands(tx, flush.commands)
  await insertSpecs(tx, flush.specs)
}

import type { Flush } from '../contracts/flush'
import type { Store } from './client'
import { fence } from './lease'
import { insertCommands, insertSpecs } from './write/commands'
import { type FlushPart, partsOf } from './write/flushParts'
import { insertMissed, upsertLate } from './write/lateEvents'
import { applyLateChanges, insertOccurrences, insertOutcomes } from './write/lateFacts'
import { insertNotices } from './write/notices'
import { isAt, movePosition, noteProgress } from './write/position'
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

/** Rows and revisions that one transaction writes at most; a larger flush is committed in several. */
export const MOST_ROWS = 5_000

export interface CommitOptions {
  /** Of the lease under which it is written; null: without one. */
  readonly epoch?: number | null
  readonly mostQuarantined?: number
  readonly mostRows?: number
}

/**
 * Writes one flush: everything that its records did, the counters and the position, in one transaction (design.md
 * §1.4). One of more than 5,000 rows is written in several, of which the last moves the position; until then the
 * database says how far it has come, and what was written can be written again.
 *
 * Rejects with PositionMoved when `flush.prev` is not the stored position, with LeaseLost when the lease is another's.
 * A flush whose COMMIT answer was lost may be given again: its own position is then the stored one, and nothing is
 * written twice.
 */
export async function commitFlush(
  { prisma }: Store,
  flush: Flush,
  { epoch = null, mostQuarantined = MOST_QUARANTINED, mostRows = MOST_ROWS }: CommitOptions = {},
): Promise<void> {
  const transaction = (work: (tx: Transaction) => Promise<void>) =>
    prisma.$transaction(
      async (tx) => {
        if (epoch !== null) await fence(tx, epoch)
        await work(tx)
      },
      { timeout: 60_000, maxWait: 10_000 },
    )
  const parts = partsOf(flush, mostRows)
  const last = parts.length > 0 ? { ...flush, rows: [], revisions: [] } : flush
  for (const [i, part] of parts.entries()) {
    await transaction(async (tx) => {
      if ((await noteProgress(tx, flush, i + 1)) || flush.prev === 0) return writePart(tx, part)
      if (!(await isAt(tx, flush))) throw moved(flush)
    })
  }
  await transaction(async (tx) => {
    if (await movePosition(tx, flush)) return writeAll(tx, last, mostQuarantined)
    if (!(await isAt(tx, flush))) throw moved(flush)
  })
}

function moved({ prev }: Flush): PositionMoved {
  return new PositionMoved(
    `results are no longer at position ${prev}: another server writes to this database`,
  )
}

/** What can be written again without harm: rows are absolute, revisions are known by their numbers. */
async function writePart(tx: Transaction, { rows, revisions }: FlushPart): Promise<void> {
  await upsertWindowRows(tx, rows)
  await insertRevisions(tx, revisions, 'unlessThere')
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

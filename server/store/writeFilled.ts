import type { ClosedWindow } from '../contracts/flush'
import type { Store } from './client'
import { fence } from './lease'
import { type FlushPart, partsOf } from './write/flushParts'
import { insertRevisions } from './write/revisions'
import { closeWindows, upsertWindowRows } from './write/windowRows'

/** Rows and revisions of one transaction. */
const MOST_ROWS = 2_500

export interface FilledRows extends FlushPart {
  readonly closed: readonly ClosedWindow[]
}

/**
 * Writes rows of views that are being filled; nobody reads their version yet. Safe to repeat: rows are absolute,
 * revisions known by number. Rejects with LeaseLost when `epoch` is not the one in force.
 */
export async function writeFilled({ prisma }: Store, filled: FilledRows, epoch: number): Promise<void> {
  const parts = partsOf(filled, MOST_ROWS)
  for (const part of parts.length > 0 ? parts : [filled]) {
    await prisma.$transaction(
      async (tx) => {
        await fence(tx, epoch)
        await upsertWindowRows(tx, part.rows)
        await insertRevisions(tx, part.revisions, 'unlessThere')
      },
      { timeout: 60_000, maxWait: 10_000 },
    )
  }
  await prisma.$transaction(async (tx) => {
    await fence(tx, epoch)
    await closeWindows(tx, filled.closed)
  })
}

import { randomBytes } from 'node:crypto'
import { type AuditFindings, type AuditReport, differencesOf } from '../../contracts/audit'
import type { PipelineSpec } from '../../contracts/pipelineSpec'
import { USER_ID } from '../../contracts/viewSpec'
import { escapeReserved } from '../../engine/aggregate/batchKeys'
import { readScope } from '../../store/audit/scope'
import { dropShadows, makeShadows, schemaOf } from '../../store/audit/shadows'
import type { Store } from '../../store/client'
import { replaceInKeys } from '../../store/erase/keys'
import { dropSnapshots, insertErasure, replaceSketches } from '../../store/erase/states'
import { readSpecs, replaceInLate, rewriteQuarantine } from '../../store/erase/texts'
import { erasing } from '../../store/erase/transaction'
import type { Transaction } from '../../store/write/rows'
import { type AuditOptions, auditScope } from '../audit/audit'
import { AuditProblem } from '../audit/problem'
import { rewriteJournal } from './rewriteJournal'
import { type Swap, swapRejected } from './swap'

export interface EraseInput {
  readonly user: string
  /** Sources that it is limited to; empty: all. */
  readonly sources: readonly string[]
  readonly by: string
  readonly reason: string
}

export interface Erased {
  readonly records: number
  readonly events: number
  readonly rows: number
  /** Differences that the audit found before, and found again afterwards: 0 for a sound database. */
  readonly differences: number
}

/** It would change a number, so nothing was changed. */
export class EraseRefused extends Error {
  override readonly name = 'EraseRefused'
}

type OnProgress = AuditOptions['onProgress']

/**
 * Replaces a user id by a pseudonym in everything that is stored, in one transaction, while no server runs. No number
 * changes: an audit before and one after it, of the rewritten journal from where the fold can begin, must say the same,
 * or all is taken back and EraseRefused thrown.
 *
 * The pseudonym is random and kept nowhere beside the data, so it cannot be turned back; it is one for the whole
 * database, so one buyer stays one buyer in every window. What the engine knows of a user is a hash of the id:
 * - in the state of a running server: that is why none may run; the next start folds the rewritten journal;
 * - in snapshots: they go, and the next start folds from the beginning. Where the journal is trimmed, the oldest one that
 *   the fold needs has to stay until retention replaces it. If one of its open windows counts the user, and an order of
 *   theirs follows, they would be two: the second audit sees that;
 * - in the sketches of rows, as 11 bits of a place and a rank: they are made anew with everything else that the journal
 *   still tells. Where it is trimmed they stay; so few bits fit a two-thousandth of all ids and name nobody.
 */
export function erase(store: Store, input: EraseInput, onProgress: OnProgress): Promise<Erased> {
  return erasing(store, async (tx) => {
    await makeShadows(tx)
    const before = await audited(tx, onProgress)
    const real = await schemaOf(tx)
    const specs = await readSpecs(tx, real)
    const swap = swapOf(input, specs)
    const { records, events, position } = await rewriteJournal(tx, swap)
    const rows = await rewriteTables(tx, real, swap, specs)
    if (before) await checkSame(tx, before, real, onProgress)
    const sources = input.sources
    await insertErasure(tx, { by: input.by, reason: input.reason, sources, position, records, events, rows })
    return { records, events, rows, differences: before ? differencesOf(before) : 0 }
  })
}

function swapOf({ user, sources }: EraseInput, specs: readonly PipelineSpec[]): Swap {
  const mapped = specs.flatMap((spec) => spec.sources.flatMap(({ map }) => map.userId ?? []))
  return {
    user,
    pseudonym: `erased-${randomBytes(16).toString('base64url')}`,
    sources: sources.length > 0 ? new Set(sources) : null,
    fields: new Set([USER_ID, ...mapped]),
  }
}

async function audited(tx: Transaction, onProgress: OnProgress): Promise<AuditReport | null> {
  const scope = await readScope(tx)
  if (scope?.flushing) {
    throw new AuditProblem(
      'results are half written: start the server once, which ends its last flush, and stop it.',
    )
  }
  return scope && auditScope(tx, scope, { limit: 1, onProgress })
}

/** Returns how many rows beside the journal held the id. */
async function rewriteTables(
  tx: Transaction,
  real: (table: string) => string,
  swap: Swap,
  specs: readonly PipelineSpec[],
): Promise<number> {
  const { user, pseudonym, sources } = swap
  let rows = await replaceInLate(tx, real, user, pseudonym, sources && [...sources])
  rows += await rewriteQuarantine(tx, real, (row) => swapRejected(row, swap))
  const byUser = new Map<string, number>()
  for (const { id, groupBy } of specs.flatMap((spec) => spec.views)) {
    if (groupBy.includes(USER_ID)) byUser.set(id, groupBy.indexOf(USER_ID))
  }
  for (const [view, place] of byUser)
    rows += await replaceInKeys(tx, real, view, place, escapeReserved(user), pseudonym)
  return rows
}

/** Folds the rewritten journal, makes sketches and snapshots follow it, and compares with the audit before. */
async function checkSame(
  tx: Transaction,
  before: AuditReport,
  real: (table: string) => string,
  onProgress: OnProgress,
): Promise<void> {
  await dropSnapshots(tx, before.from === 0 ? null : before.from)
  await dropShadows(tx)
  await makeShadows(tx)
  const scope = await readScope(tx)
  if (!scope) return
  const beforeLooks = async () => void (await replaceSketches(tx, real))
  const after = await auditScope(tx, scope, { limit: 1, onProgress, beforeLooks })
  if (JSON.stringify(numbers(before)) === JSON.stringify(numbers(after))) return
  throw new EraseRefused(
    before.from > 0
      ? 'the user has orders in windows that were open at the oldest snapshot, which the trimmed journal needs: under another name they would be counted twice. Try again when a later snapshot is the oldest.'
      : 'a number would change: the user has orders of other sources in the same windows. Erase the user in all sources, without --source.',
  )
}

function numbers({ findings }: AuditReport): Omit<AuditFindings, 'listed'>[] {
  return findings.map(({ look, table, rows, differences }) => ({ look, table, rows, differences }))
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditDifference, AuditFindings, AuditReport } from '../../contracts/audit'
import { finiteOrNull } from '../../contracts/instant'
import type { EngineState } from '../../engine/state'
import { chainLook } from '../../store/audit/chainLook'
import { foldLooks } from '../../store/audit/foldLooks'
import { readNotAuditable } from '../../store/audit/notAuditable'
import { readPipelineRow } from '../../store/audit/pipelineRow'
import { type AuditScope, readScope } from '../../store/audit/scope'
import { findDifferences } from '../../store/audit/select'
import { analyzeShadows, schemaOf } from '../../store/audit/shadows'
import { sumsLook } from '../../store/audit/sumsLook'
import { auditing } from '../../store/audit/transaction'
import type { Store } from '../../store/client'
import type { Transaction } from '../../store/write/rows'
import { JournalFold } from './foldJournal'
import { AuditProblem } from './problem'
import { startState } from './startState'

export interface AuditOptions {
  /** Differences of one look that are listed; all are counted. */
  readonly limit: number
  /** Told how far the fold is: position, last position, events. */
  readonly onProgress: (position: number, to: number, events: number) => void
  /** Called between the fold and the comparisons, when the temporary tables are full. */
  readonly beforeLooks?: () => Promise<void>
}

/** A flush of several transactions ends within seconds. */
const TRIES = 30
const PAUSE = 1_000

/**
 * Recomputes every result from the journal and compares (design.md §7). Works beside a running server, on one moment
 * of the database; writes nothing. null: there are no results yet. Throws AuditProblem when it cannot be made.
 */
export async function audit(store: Store, options: AuditOptions): Promise<AuditReport | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const report = await auditing(store, async (tx) => {
      const scope = await readScope(tx)
      return scope?.flushing ? 'flushing' : scope && auditScope(tx, scope, options)
    })
    if (report !== 'flushing') return report
    await sleep(PAUSE)
  }
  throw new AuditProblem(
    'a flush of several transactions is under way and does not end: results are half written. Start the server, which ends it, and audit again.',
  )
}

/** The audit itself, in a transaction that has its temporary tables. */
export async function auditScope(
  tx: Transaction,
  scope: AuditScope,
  { limit, onProgress, beforeLooks }: AuditOptions,
): Promise<AuditReport> {
  const real = await schemaOf(tx)
  const state = await startState(tx, scope)
  const from = state.position
  const bound = from === 0 ? null : state.at + (state.pipeline?.spec.maxFutureSkew ?? 0)
  const fold = new JournalFold(tx, scope, state)
  await fold.run((position, events) => onProgress(position, scope.position, events))
  await analyzeShadows(tx)
  await beforeLooks?.()
  const looks = [
    ...foldLooks(real, from),
    sumsLook(real, state.pipeline?.spec.views ?? [], bound),
    chainLook(real, from),
  ]
  const findings = [await pipelineFindings(tx, state)]
  for (const look of looks) findings.push(await findDifferences(tx, look, limit))
  const notAuditable = await readNotAuditable(tx, real, from)
  const { records, events, skipped } = fold
  return { from, to: scope.position, records, events, skipped, findings, notAuditable }
}

/** The one row of pipeline_state against the folded state. */
async function pipelineFindings(tx: Transaction, state: EngineState): Promise<AuditFindings> {
  const stored = await readPipelineRow(tx)
  const expected: Record<string, number | null> = {
    at: state.at,
    watermark: finiteOrNull(state.clock.watermark),
    ...state.counts,
  }
  const names = Object.keys(expected).filter((name) => stored[name] !== expected[name])
  const part = (of: Record<string, number | null>) => Object.fromEntries(names.map((n) => [n, of[n]]))
  const differences: AuditDifference[] =
    names.length === 0
      ? []
      : [
          {
            look: 'fold',
            table: 'pipeline_state',
            key: { id: 1 },
            stored: part(stored),
            expected: part(expected),
          },
        ]
  return {
    look: 'fold',
    table: 'pipeline_state',
    rows: 1,
    differences: differences.length,
    listed: differences,
  }
}

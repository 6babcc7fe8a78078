/** Which of the audit's three looks found a difference: the engine's fold, the plain sums, or the chain of revisions. */
export type AuditLook = 'fold' | 'sums' | 'chain'

/** One thing that the database holds and the journal does not say, or the other way round. */
export interface AuditDifference {
  readonly look: AuditLook
  readonly table: string
  /** What tells the row from others of its table. */
  readonly key: Readonly<Record<string, unknown>>
  /** The columns that differ, as stored; null: there is no such row. */
  readonly stored: Readonly<Record<string, unknown>> | null
  /** The same as they should be; null: there should be no such row. */
  readonly expected: Readonly<Record<string, unknown>> | null
}

/** Differences of one look at one table: all counted, some listed. */
export interface AuditFindings {
  readonly look: AuditLook
  readonly table: string
  /** Rows that were looked at. */
  readonly rows: number
  readonly differences: number
  readonly listed: readonly AuditDifference[]
}

/** What is stored and cannot be recomputed, because the journal behind it is trimmed. */
export interface NotAuditable {
  readonly table: string
  readonly rows: number
}

export interface AuditReport {
  /** Positions `(from, to]` were folded; `from` is 0, or that of the snapshot that the fold began with. */
  readonly from: number
  readonly to: number
  readonly records: number
  readonly events: number
  /** Damaged records that an operator let the engine pass over. */
  readonly skipped: readonly number[]
  readonly findings: readonly AuditFindings[]
  readonly notAuditable: readonly NotAuditable[]
}

/** Differences in all. */
export function differencesOf(report: AuditReport): number {
  return report.findings.reduce((sum, { differences }) => sum + differences, 0)
}

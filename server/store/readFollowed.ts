import type { SourceSnapshot } from '../contracts/flush'
import type { OutcomeCounts, SourceState } from '../contracts/status'
import type { Strategy } from '../contracts/strategy'
import type { ViewSpec } from '../contracts/viewSpec'
import type { Revision, WindowRow } from '../contracts/windowRow'
import type { Store } from './client'
import {
  numberOrNull,
  REVISION_COLUMNS,
  type RevisionColumns,
  toRevision,
  toWindowRow,
  WINDOW_COLUMNS,
  type WindowColumns,
} from './columns'
import { Prisma } from './generated/client'

/** What the leader has committed, as one moment. */
export interface Followed {
  readonly position: number
  /** Journal time there, ms. */
  readonly at: number
  readonly watermark: number | null
  readonly journaled: number
  readonly counts: OutcomeCounts
  readonly sources: readonly SourceSnapshot[]
  /** Rows and revisions written after `since`; rows at it as well, since totals may be written twice at one position. */
  readonly rows: readonly WindowRow[]
  readonly revisions: readonly Revision[]
}

/** Reads what a standby shows. null before the first flush. */
export async function readFollowed(
  { prisma }: Store,
  views: readonly Pick<ViewSpec, 'id' | 'version'>[],
  since: number,
): Promise<Followed | null> {
  const [state, sources, journal, rows, revisions] = await prisma.$transaction(
    [
      prisma.pipelineState.findUnique({ where: { id: 1 } }),
      prisma.sourceState.findMany({ orderBy: { name: 'asc' } }),
      prisma.journal.aggregate({ _max: { position: true } }),
      prisma.$queryRaw<WindowColumns[]>`
        SELECT ${WINDOW_COLUMNS} FROM window_row w
        WHERE ${currentOnly('w', views)} AND w.pos >= ${BigInt(since)}
        ORDER BY w.pos, w.view, w.start_at, w.key`,
      prisma.$queryRaw<RevisionColumns[]>`
        SELECT ${REVISION_COLUMNS} FROM revision r
        WHERE ${currentOnly('r', views)} AND r.pos > ${BigInt(since)}
        ORDER BY r.pos, r.view, r.start_at, r.key, r.revision`,
    ],
    { isolationLevel: 'RepeatableRead' },
  )
  if (!state) return null
  return {
    position: Number(state.position),
    at: Number(state.at),
    watermark: numberOrNull(state.watermark),
    journaled: Number(journal._max.position ?? 0n),
    counts: countsOf(state),
    sources: sources.map((row) => ({
      ...countsOf(row),
      name: row.name,
      declared: row.declared,
      state: row.state as SourceState,
      watermark: numberOrNull(row.watermark),
      maxEventTime: numberOrNull(row.maxEventTime),
      lastRecordAt: numberOrNull(row.lastRecordAt),
      strategy: row.strategy as Strategy['kind'],
      bound: numberOrNull(row.bound),
      isTest: row.isTest,
      resendsHistory: row.resendsHistory,
      wouldPause: row.wouldPause,
    })),
    rows: rows.map(toWindowRow),
    revisions: revisions.map(toRevision),
  }
}

function currentOnly(table: string, views: readonly Pick<ViewSpec, 'id' | 'version'>[]): Prisma.Sql {
  const pairs = views.map(({ id, version }) => Prisma.sql`(${id}, ${version}::int)`)
  return Prisma.sql`(${Prisma.raw(`${table}.view, ${table}.version`)}) IN (${Prisma.join(pairs)})`
}

function countsOf(row: Record<keyof OutcomeCounts, bigint>): OutcomeCounts {
  return {
    received: Number(row.received),
    inTime: Number(row.inTime),
    corrected: Number(row.corrected),
    late: Number(row.late),
    duplicate: Number(row.duplicate),
    quarantined: Number(row.quarantined),
    conflict: Number(row.conflict),
    test: Number(row.test),
    overflow: Number(row.overflow),
  }
}

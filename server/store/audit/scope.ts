import type { Transaction } from '../write/rows'

/** What there is to audit, at one moment. */
export interface AuditScope {
  /** Position up to which results are committed, and the first one that the journal still has; null: empty. */
  readonly position: number
  readonly first: number | null
  /** A flush of several transactions is under way: some of its rows are there, and some are not. */
  readonly flushing: boolean
  readonly skipped: ReadonlySet<number>
  /** Positions that totals of open rows are of. */
  readonly openAt: ReadonlySet<number>
  readonly events: number
}

/** Reads it; null before the first flush. */
export async function readScope(tx: Transaction): Promise<AuditScope | null> {
  const [state] = await tx.$queryRawUnsafe<{ position: bigint; flushing: boolean }[]>(
    'SELECT position, flush_to IS NOT NULL AS flushing FROM pipeline_state WHERE id = 1',
  )
  if (!state) return null
  const [journal] = await tx.$queryRawUnsafe<{ first: bigint | null; events: bigint | null }[]>(
    'SELECT min(position) AS first, sum(event_count) AS events FROM journal WHERE position <= $1::bigint',
    String(state.position),
  )
  return {
    position: Number(state.position),
    first: journal?.first == null ? null : Number(journal.first),
    flushing: state.flushing,
    skipped: await positions(tx, 'SELECT position FROM skipped_record'),
    openAt: await positions(tx, 'SELECT DISTINCT pos AS position FROM audit_open'),
    events: Number(journal?.events ?? 0),
  }
}

async function positions(tx: Transaction, sql: string): Promise<Set<number>> {
  const rows = await tx.$queryRawUnsafe<{ position: bigint }[]>(sql)
  return new Set(rows.map(({ position }) => Number(position)))
}

/** A record as it stands in the table, not yet decoded. */
export interface StoredRecord {
  readonly position: number
  readonly kind: number
  readonly at: number
  readonly checksum: number
  readonly body: Uint8Array
}

/** Records of `(after, to]` in order, at most `limit`. */
export async function readRecords(
  tx: Transaction,
  after: number,
  to: number,
  limit: number,
): Promise<StoredRecord[]> {
  const rows = await tx.$queryRawUnsafe<(Record<'position' | 'at' | 'checksum', bigint> & Rest)[]>(
    `SELECT position, kind, at, checksum, body FROM journal WHERE position > $1::bigint AND position <= $2::bigint
     ORDER BY position LIMIT $3::int`,
    String(after),
    String(to),
    limit,
  )
  return rows.map(({ position, kind, at, checksum, body }) => ({
    position: Number(position),
    kind,
    at: Number(at),
    checksum: Number(checksum),
    body,
  }))
}

type Rest = Pick<StoredRecord, 'kind' | 'body'>

import { LeaseLost } from '../contracts/lease'
import type { Store } from '../store/client'
import type { JournalEnd } from './port'
import type { JournalRow } from './rows'

/** The statements of the journal's table. Raw, because each is one set-based statement on the path of an order. */
const COLUMNS = 11

/**
 * Writes rows in one statement, which is one transaction: all of them are durable, or none. Where `epoch` is given it
 * begins with the lease (design.md §4). Rejects with LeaseLost when that is another's.
 */
export async function insertRows(
  store: Store,
  appendId: string,
  rows: readonly JournalRow[],
  epoch: number | null,
): Promise<void> {
  const places = rows.map((_, r) => {
    const p = (c: number) => `$${r * COLUMNS + c}`
    return `(${p(1)}::bigint, ${p(2)}::smallint, ${p(3)}::bigint, ${p(4)}::text, ${p(5)}::int, ${p(6)}::int, ${p(7)}::bigint, ${p(8)}::bigint, ${p(9)}::bigint, ${p(10)}::uuid, ${p(11)}::bytea)`
  })
  const big = (n: number | null) => (n === null ? null : String(n))
  const values = rows.flatMap((row) => [
    big(row.position),
    row.kind,
    big(row.at),
    row.source,
    row.eventCount,
    row.rejectedCount,
    big(row.minEventTime),
    big(row.maxEventTime),
    big(row.checksum),
    appendId,
    row.body,
  ])
  const written = await store.prisma.$executeRawUnsafe(statement(places, epoch), ...values, ...lease(epoch))
  if (written < rows.length) throw new LeaseLost(`the lease of epoch ${epoch} is another's`)
}

const INTO =
  'INTO journal (position, kind, at, source, event_count, rejected_count, min_event_time, max_event_time, checksum, append_id, body)'

/** The lease's row is locked for as long as the statement runs: a takeover waits for it, or comes before it. */
function statement(places: readonly string[], epoch: number | null): string {
  if (epoch === null) return `INSERT ${INTO} VALUES ${places.join(', ')}`
  return `
    WITH lease AS MATERIALIZED (
      SELECT 1 FROM engine_lease WHERE id = 1 AND epoch = $${places.length * COLUMNS + 1}::bigint FOR KEY SHARE
    )
    INSERT ${INTO} SELECT v.* FROM (VALUES ${places.join(', ')}) AS v, lease`
}

const lease = (epoch: number | null) => (epoch === null ? [] : [String(epoch)])

interface StoredRow {
  readonly position: bigint
  readonly kind: number
  readonly at: bigint
  readonly checksum: bigint
  readonly body: Uint8Array
  readonly skipped: boolean
}

export type ReadRow = Pick<JournalRow, 'position' | 'kind' | 'at' | 'checksum' | 'body'> & {
  /** An operator had it passed over. */
  readonly skipped: boolean
}

/** Rows above a position, in order. */
export async function readRows(store: Store, after: number, limit: number): Promise<ReadRow[]> {
  const rows = await store.prisma.$queryRawUnsafe<StoredRow[]>(
    `SELECT position, kind, at, checksum, body,
       EXISTS (SELECT FROM skipped_record s WHERE s.position = journal.position) AS skipped
     FROM journal WHERE position > $1::bigint ORDER BY position LIMIT $2::int`,
    String(after),
    limit,
  )
  return rows.map((row) => ({
    position: Number(row.position),
    kind: row.kind,
    at: Number(row.at),
    checksum: Number(row.checksum),
    body: row.body,
    skipped: row.skipped,
  }))
}

/** Position and journal time of the last row; null when there is none. */
export async function readEnd(store: Store): Promise<JournalEnd | null> {
  const rows = await store.prisma.$queryRawUnsafe<{ position: bigint; at: bigint }[]>(
    'SELECT position, at FROM journal ORDER BY position DESC LIMIT 1',
  )
  const row = rows[0]
  return row ? { position: Number(row.position), at: Number(row.at) } : null
}

/** Position of the first row that is still there; null when there is none. */
export async function readFirst(store: Store): Promise<number | null> {
  const rows = await store.prisma.$queryRawUnsafe<{ position: bigint }[]>(
    'SELECT position FROM journal ORDER BY position LIMIT 1',
  )
  return rows[0] ? Number(rows[0].position) : null
}

/** Which append wrote a position; null when nobody has. */
export async function readGroup(store: Store, position: number): Promise<string | null> {
  const rows = await store.prisma.$queryRawUnsafe<{ append_id: string }[]>(
    'SELECT append_id::text AS append_id FROM journal WHERE position = $1::bigint',
    String(position),
  )
  return rows[0]?.append_id ?? null
}

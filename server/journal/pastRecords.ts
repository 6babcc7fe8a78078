import type { EventBatch } from '../contracts/eventBatch'
import type { Store } from '../store/client'
import { toRecord } from './rows'

/** A record of events with what became of each, as of before a position. */
export interface StoredPast {
  readonly position: number
  readonly batch: EventBatch
  /** Bits of rows; see contracts/flush.ts, RecordOutcome. */
  readonly uncounted: Uint8Array | null
  readonly corrected: Uint8Array | null
  /** Rows that commands moved since: into the figures (true) or out of them. */
  readonly moved: ReadonlyMap<number, boolean>
}

interface PastColumns {
  readonly position: bigint
  readonly kind: number
  readonly at: bigint
  readonly checksum: bigint
  readonly body: Uint8Array
  readonly uncounted: Uint8Array | null
  readonly corrected: Uint8Array | null
}

/** Events that are read at once: what one page holds in memory, and keeps the event loop from others. */
const EVENTS_A_PAGE = 10_000
/** Positions that are looked up at once. */
const POSITIONS_AT_ONCE = 20_000

interface Found {
  readonly position: bigint
  readonly event_count: number
}

/** `where` is trusted SQL on the journal j; its parameters begin at $4. */
export interface Where {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** Positions `after < p < before`; what became of events there is told as of before `asOf`. */
export interface PastRange {
  readonly after: number
  readonly before: number
  readonly asOf: number
}

/** Records of events in a range that meet a condition, in order, a page in memory at a time. */
export async function* pastRecords(store: Store, range: PastRange, where: Where): AsyncIterable<StoredPast> {
  let { after } = range
  for (;;) {
    const found = await store.prisma.$queryRawUnsafe<Found[]>(
      `SELECT j.position, j.event_count FROM journal j
       WHERE j.kind = 1 AND j.event_count > 0 AND j.position > $1::bigint AND j.position < $2::bigint AND (${where.sql})
       ORDER BY j.position LIMIT $3::int`,
      String(after),
      String(range.before),
      POSITIONS_AT_ONCE,
      ...where.values,
    )
    for (const page of pagesOf(found)) yield* await readPage(store, page, range.asOf)
    const last = found.at(-1)
    if (!last || found.length < POSITIONS_AT_ONCE) return
    after = Number(last.position)
  }
}

function pagesOf(found: readonly Found[]): bigint[][] {
  const pages: bigint[][] = []
  let events = EVENTS_A_PAGE
  for (const { position, event_count } of found) {
    if (events + event_count > EVENTS_A_PAGE) {
      pages.push([])
      events = 0
    }
    pages.at(-1)?.push(position)
    events += event_count
  }
  return pages
}

async function readPage(store: Store, positions: readonly bigint[], asOf: number): Promise<StoredPast[]> {
  const list = positions.map(String)
  const [rows, moved] = await Promise.all([
    store.prisma.$queryRawUnsafe<PastColumns[]>(
      `SELECT j.position, j.kind, j.at, j.checksum, j.body, o.uncounted, o.corrected
       FROM journal j LEFT JOIN record_outcome o ON o.position = j.position
       WHERE j.position = ANY($1::bigint[]) ORDER BY j.position`,
      list,
    ),
    readMoved(store, list, asOf),
  ])
  return rows.flatMap(({ position, kind, at, checksum, body, uncounted, corrected }) => {
    const row = { position: Number(position), kind, at: Number(at), checksum: Number(checksum), body }
    const record = toRecord(row)
    if (record.kind !== 'events') return []
    const changes = moved.get(row.position) ?? NOTHING_MOVED
    return { position: row.position, batch: record.batch, uncounted, corrected, moved: changes }
  })
}

const NOTHING_MOVED: ReadonlyMap<number, boolean> = new Map()

/** The last change of each event of these records by a command before a position. */
async function readMoved(store: Store, positions: readonly string[], asOf: number) {
  const changes = await store.prisma.$queryRawUnsafe<{ position: bigint; row: number; change: string }[]>(
    `SELECT position, row, change FROM late_change
     WHERE position = ANY($1::bigint[]) AND by < $2::bigint AND change IN ('reconciled', 'voided') ORDER BY by`,
    positions,
    String(asOf),
  )
  const moved = new Map<number, Map<number, boolean>>()
  for (const { position, row, change } of changes) {
    const rows = moved.get(Number(position)) ?? new Map<number, boolean>()
    moved.set(Number(position), rows.set(row, change === 'reconciled'))
  }
  return moved
}

/**
 * The least position whose record is of journal time `at` or later, ms; one past the end when none is. By halving:
 * journal time never goes back along the positions.
 */
export async function positionAt(store: Store, at: number): Promise<number> {
  const ends = await store.prisma.$queryRawUnsafe<{ first: bigint | null; last: bigint | null }[]>(
    'SELECT min(position) AS first, max(position) AS last FROM journal',
  )
  let [low, high] = [Number(ends[0]?.first ?? 1), Number(ends[0]?.last ?? 0) + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const rows = await store.prisma.$queryRawUnsafe<{ at: bigint }[]>(
      'SELECT at FROM journal WHERE position >= $1::bigint ORDER BY position LIMIT 1',
      String(middle),
    )
    if (Number(rows[0]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

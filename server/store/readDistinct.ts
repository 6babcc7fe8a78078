import type { Store } from './client'
import { Prisma } from './generated/client'
import { type WindowsWhere, windowConditions } from './windowConditions'
import type { Transaction } from './write/rows'

/** Rows of one reading. A thousand held up everything else for 150 ms while they were decoded and merged. */
const ROWS_AT_ONCE = 250

/** What a span is made of. */
export interface DistinctParts {
  readonly rows: number
  readonly windows: number
  /** Windows that have not fired. */
  readonly open: number
  /** Rows that have fired and carry no sketch. */
  readonly unsketched: number
  /** Exact counts; of all rows together they mean something only where there is but one. */
  readonly orders: number
  readonly buyers: number
}

export interface StoredSketches {
  readonly orders: Uint8Array
  readonly buyers: Uint8Array
}

/**
 * Reads what a span is made of; then, where `wanted` says so, the sketches of its rows, handed to `take` a few at a
 * time so that memory does not grow with the span. Both are of one moment.
 */
export async function readDistinct(
  { prisma }: Store,
  where: WindowsWhere,
  wanted: (parts: DistinctParts) => boolean,
  take: (sketches: StoredSketches) => void,
): Promise<DistinctParts> {
  const conditions = Prisma.join(windowConditions(where), ' AND ')
  return prisma.$transaction(
    async (tx) => {
      const parts = await readParts(tx, conditions)
      if (wanted(parts)) await readSketches(tx, conditions, take)
      return parts
    },
    { isolationLevel: 'RepeatableRead', timeout: 30_000 },
  )
}

async function readParts(tx: Transaction, conditions: Prisma.Sql): Promise<DistinctParts> {
  const [row] = await tx.$queryRaw<{ [K in keyof DistinctParts]: bigint | null }[]>`
    SELECT count(*) AS rows, count(DISTINCT w.window_id) AS windows,
      count(DISTINCT w.window_id) FILTER (WHERE w.status = 'open') AS open,
      count(*) FILTER (WHERE w.status <> 'open' AND w.sketch_orders IS NULL) AS unsketched,
      sum(w.orders)::bigint AS orders, sum(w.buyers)::bigint AS buyers
    FROM window_row w WHERE ${conditions}`
  const number = (name: keyof DistinctParts) => Number(row?.[name] ?? 0)
  return {
    rows: number('rows'),
    windows: number('windows'),
    open: number('open'),
    unsketched: number('unsketched'),
    orders: number('orders'),
    buyers: number('buyers'),
  }
}

async function readSketches(
  tx: Transaction,
  conditions: Prisma.Sql,
  take: (sketches: StoredSketches) => void,
): Promise<void> {
  let after = Prisma.empty
  for (;;) {
    const rows = await tx.$queryRaw<(StoredSketches & { window_id: bigint; key: string })[]>`
      SELECT w.window_id, w.key, w.sketch_orders AS orders, w.sketch_buyers AS buyers
      FROM window_row w WHERE ${conditions} ${after}
      ORDER BY w.window_id, w.key LIMIT ${ROWS_AT_ONCE}`
    for (const row of rows) take(row)
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return
    after = Prisma.sql`AND (w.window_id, w.key) > (${last.window_id}, ${last.key})`
  }
}

import type { Store } from '../client'

export interface RowKeyRef {
  readonly view: string
  readonly version: number
  readonly windowId: number
  readonly key: string
}

export type WindowRef = Omit<RowKeyRef, 'key'>

export interface RowAsOf {
  readonly view: string
  readonly window_id: bigint
  readonly key: string
  readonly revision: number
  readonly fired_at: bigint | null
  readonly gross: string
  readonly refunds: string
  readonly orders: bigint
  readonly buyers: bigint
  readonly events: bigint
}

/** One look into the primary key for each: a join leaves it to statistics, which a young table does not have. */
const ROWS = `
  SELECT k.view, k."windowId" AS window_id, k.key, r.*, w.fired_at
  FROM jsonb_to_recordset($1::jsonb) AS k(view text, version int, "windowId" bigint, key text)
  CROSS JOIN LATERAL (
    SELECT revision, after_gross::text AS gross, after_refunds::text AS refunds, after_orders AS orders,
      after_buyers AS buyers, after_events AS events
    FROM revision r
    WHERE r.view = k.view AND r.version = k.version AND r.window_id = k."windowId" AND r.key = k.key
      AND r.pos < $2::bigint
    ORDER BY r.revision DESC LIMIT 1
  ) r
  LEFT JOIN window_row w
    ON w.view = k.view AND w.version = k.version AND w.window_id = k."windowId" AND w.key = k.key`

/** Rows as they were last published before a position. */
export function readRowsAsOf(
  { prisma }: Store,
  keys: readonly RowKeyRef[],
  before: number,
): Promise<RowAsOf[]> {
  return prisma.$queryRawUnsafe<RowAsOf[]>(ROWS, JSON.stringify(keys), String(before))
}

export interface WindowAsOf {
  readonly view: string
  readonly window_id: bigint
  readonly own_rows: number
  readonly left_out: string[]
  readonly by_inactivity: boolean
}

/** A real value of the reserved name is escaped, so a row with the name itself is an overflow. */
const OWN = `r.revision = 1 AND NOT (r.dims ? '__other__')`

const WINDOWS = `
  SELECT k.view, k."windowId" AS window_id, f.left_out, f.by_inactivity,
    (SELECT count(*)::int FROM revision r WHERE r.view = k.view AND r.version = k.version AND r.window_id = k."windowId"
      AND r.pos < $2::bigint AND ${OWN}) AS own_rows
  FROM jsonb_to_recordset($1::jsonb) AS k(view text, version int, "windowId" bigint)
  JOIN LATERAL (
    SELECT w.left_out, w.by_inactivity FROM window_row w
    WHERE w.view = k.view AND w.version = k.version AND w.window_id = k."windowId" LIMIT 1
  ) f ON true`

/** Windows with a row, and how many rows of their own key each had before a position. */
export function readWindowsAsOf(
  { prisma }: Store,
  windows: readonly WindowRef[],
  before: number,
): Promise<WindowAsOf[]> {
  return prisma.$queryRawUnsafe<WindowAsOf[]>(WINDOWS, JSON.stringify(windows), String(before))
}

const KEYS = `
  SELECT r.view, r.window_id, r.key
  FROM jsonb_to_recordset($1::jsonb) AS k(view text, version int, "windowId" bigint)
  JOIN revision r ON r.view = k.view AND r.version = k.version AND r.window_id = k."windowId"
  WHERE r.pos < $2::bigint AND ${OWN}`

/** Keys that had a row of their own in these windows before a position. */
export function readKeysAsOf({ prisma }: Store, windows: readonly WindowRef[], before: number) {
  return prisma.$queryRawUnsafe<Pick<RowAsOf, 'view' | 'window_id' | 'key'>[]>(
    KEYS,
    JSON.stringify(windows),
    String(before),
  )
}

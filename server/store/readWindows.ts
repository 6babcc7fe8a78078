import type { WindowRow } from '../contracts/windowRow'
import type { Store } from './client'
import { numberOrNull, toWindowRow, WINDOW_COLUMNS, type WindowColumns } from './columns'
import { Prisma } from './generated/client'
import { type WindowsWhere, windowConditions } from './windowConditions'

export interface WindowsQuery extends WindowsWhere {
  /** Only rows written at or after this position: totals of open windows may be written twice at one position. */
  readonly since?: number
  readonly limit: number
}

export interface WindowsAtPosition {
  readonly pos: number
  readonly watermark: number | null
  readonly windows: WindowRow[]
}

/**
 * Rows of a view by start and key, with the position that they are of. One statement reads both, so no flush can
 * come between them: a client that goes on from `pos` misses nothing.
 */
export async function readWindows({ prisma }: Store, query: WindowsQuery): Promise<WindowsAtPosition> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT s.position AS at_position, s.watermark AS at_watermark, ${WINDOW_COLUMNS}
    FROM pipeline_state s
    LEFT JOIN window_row w ON ${conditions(query)}
    WHERE s.id = 1
    ORDER BY w.start_at, w.window_id, w.key
    LIMIT ${query.limit}`
  const first = rows[0]
  if (!first) return { pos: 0, watermark: null, windows: [] }
  return {
    pos: Number(first.at_position),
    watermark: numberOrNull(first.at_watermark),
    windows: rows.filter(isWindow).map(toWindowRow),
  }
}

type Position = { readonly at_position: bigint; readonly at_watermark: bigint | null }
/** Without a single window the join yields the position alone. */
type Row = (WindowColumns & Position) | (Position & { readonly view: null })

function isWindow(row: Row): row is WindowColumns & Position {
  return row.view !== null
}

function conditions({ since, ...where }: WindowsQuery): Prisma.Sql {
  const all = windowConditions(where)
  if (since !== undefined) all.push(Prisma.sql`w.pos >= ${BigInt(since)}`)
  return Prisma.join(all, ' AND ')
}

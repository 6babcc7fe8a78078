import type { TodayFigures } from '../contracts/overview'
import type { Store } from './client'
import { type MeasureColumns, toMeasures } from './columns'

/** The rows of one window of a view without dimensions: one a currency. */
export async function readTotals(
  { prisma }: Store,
  window: { readonly view: string; readonly version: number; readonly start: number },
): Promise<TodayFigures[]> {
  const rows = await prisma.$queryRaw<(MeasureColumns & { currency: string })[]>`
    SELECT currency, gross::text AS gross, refunds::text AS refunds, (gross - refunds)::text AS net,
      orders, buyers, events
    FROM window_row
    WHERE view = ${window.view} AND version = ${window.version} AND start_at = ${BigInt(window.start)}
      AND status <> 'superseded'
    ORDER BY currency`
  return rows.map((row) => ({ currency: row.currency, ...toMeasures(row) }))
}

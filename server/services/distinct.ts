import { SKETCH_ERROR, Sketch } from '../contracts/sketch'
import { type DistinctParts, readDistinct } from '../store/readDistinct'
import type { Distinct, WindowsRange } from './port'
import type { ReadDeps } from './readDeps'
import { viewOf } from './views'
import { MOST_ROWS, tooManyRows, windowsWhere } from './windowsWhere'

/**
 * Distinct orders and buyers of a span (design.md §3): exact where one row holds it all, else estimated from the
 * sketches of its rows, and said to be. Never a sum of rows, which would count a buyer of two windows twice; where
 * that is all there would be, it is null. Throws AppError as `windows` does.
 */
export async function distinct({ store, spec }: ReadDeps, input: WindowsRange): Promise<Distinct> {
  const view = viewOf(spec(), input.view)
  const orders = new Sketch()
  const buyers = new Sketch()
  const parts = await readDistinct(
    store,
    windowsWhere(view, input),
    (found) => isEstimated(found, view.id),
    (sketches) => {
      orders.merge(Sketch.decode(sketches.orders))
      buyers.merge(Sketch.decode(sketches.buyers))
    },
  )
  const common = { view: view.id, windows: parts.windows, open: parts.open }
  if (parts.open > 0) return { ...common, ...NOT_AVAILABLE }
  if (parts.rows <= 1)
    return { ...common, orders: parts.orders, buyers: parts.buyers, approximate: false, error: 0 }
  if (parts.unsketched > 0) return { ...common, ...NOT_AVAILABLE }
  return {
    ...common,
    orders: orders.estimate(),
    buyers: buyers.estimate(),
    approximate: true,
    error: SKETCH_ERROR,
  }
}

const NOT_AVAILABLE = { orders: null, buyers: null, approximate: false, error: null } as const

function isEstimated({ rows, open, unsketched }: DistinctParts, view: string): boolean {
  if (rows > MOST_ROWS) throw tooManyRows(view)
  return rows > 1 && open === 0 && unsketched === 0
}

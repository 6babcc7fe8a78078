import { Prisma } from './generated/client'

/** Which rows of a view a query is about. */
export interface WindowsWhere {
  readonly view: string
  readonly version: number
  /** Windows with `from <= start < to`, ms. */
  readonly from: number
  readonly to: number
  readonly currency?: string
  /** Values that dimensions must have, by their place in the key. */
  readonly dims: readonly (readonly [index: number, value: string])[]
  /** Rows whose session was merged into another, too: they are left out otherwise. */
  readonly superseded?: boolean
}

/** The conditions on a window_row named w. */
export function windowConditions(where: WindowsWhere): Prisma.Sql[] {
  const { view, version, from, to, currency, dims, superseded } = where
  const all = [
    Prisma.sql`w.view = ${view} AND w.version = ${version}`,
    Prisma.sql`w.start_at >= ${BigInt(from)} AND w.start_at < ${BigInt(to)}`,
    ...dims.map(([index, value]) => Prisma.sql`w.dims ->> ${index}::int = ${value}`),
  ]
  if (currency !== undefined) all.push(Prisma.sql`w.currency = ${currency}`)
  if (!superseded) all.push(Prisma.sql`w.status <> 'superseded'`)
  return all
}

import { keyText } from '../keyText'
import type { Transaction } from '../write/rows'

type Real = (table: string) => string

interface Key {
  readonly currency: string
  readonly dims: (string | null)[]
}

/**
 * Replaces a value of a dimension in the keys of a view's rows and revisions. Returns the rows changed.
 * @param place where the dimension stands in the key, from 0
 */
export async function replaceInKeys(
  tx: Transaction,
  real: Real,
  view: string,
  place: number,
  value: string,
  by: string,
): Promise<number> {
  let changed = 0
  for (const table of ['window_row', 'revision'] as const) {
    const keys = await tx.$queryRawUnsafe<Key[]>(
      `SELECT DISTINCT currency, dims FROM ${real(table)} WHERE view = $1 AND dims ->> $2::int = $3`,
      ...[view, place, value],
    )
    for (const { currency, dims } of keys) {
      const next = dims.map((dim, i) => (i === place ? by : dim))
      changed += await tx.$executeRawUnsafe(
        `UPDATE ${real(table)} SET key = $3, dims = $4::jsonb WHERE view = $1 AND key = $2`,
        ...[view, keyText(currency, dims), keyText(currency, next), JSON.stringify(next)],
      )
    }
  }
  return changed
}

import type { NotAuditable } from '../../contracts/audit'
import type { Transaction } from '../write/rows'
import { foldedRow } from './foldLooks'

/** What is stored of the time before position `from`, which the journal can no longer tell about. */
export async function readNotAuditable(
  tx: Transaction,
  real: (table: string) => string,
  from: number,
): Promise<NotAuditable[]> {
  if (from === 0) return []
  const found: NotAuditable[] = []
  for (const [table, where] of [
    ['window_row', `t.status <> 'open' AND NOT ${foldedRow(real)}`],
    ['revision', 't.pos <= $1::bigint'],
    ['late_event', 't.position <= $1::bigint'],
  ] as const) {
    const [row] = await tx.$queryRawUnsafe<{ rows: bigint }[]>(
      `SELECT count(*) AS rows FROM ${real(table)} t WHERE ${where}`,
      String(from),
    )
    if (row && row.rows > 0n) found.push({ table, rows: Number(row.rows) })
  }
  return found
}

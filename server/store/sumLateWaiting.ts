import type { MoneyCount } from '../contracts/overview'
import type { Store } from './client'

/** What waits in the late store, by currency: its number, and its net amount (a late refund counts against). */
export async function sumLateWaiting({ prisma }: Store): Promise<MoneyCount[]> {
  const rows = await prisma.$queryRaw<{ currency: string; count: bigint; amount: string }[]>`
    SELECT currency, count(*) AS count,
      sum(CASE type WHEN 'refund' THEN -amount ELSE amount END)::text AS amount
    FROM late_event
    WHERE status = 'waiting'
    GROUP BY currency
    ORDER BY currency`
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

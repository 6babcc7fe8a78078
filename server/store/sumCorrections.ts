import type { MoneyCount } from '../contracts/overview'
import type { Store } from './client'
import type { ViewVersion } from './readCorrections'

/** Net effect of a view's corrections after an instant (journal time, ms), and how many there were: as many as the feed lists. */
export async function sumCorrections(
  { prisma }: Store,
  { view, version }: ViewVersion,
  after: number,
): Promise<MoneyCount[]> {
  const rows = await prisma.$queryRaw<{ currency: string; count: bigint; amount: string }[]>`
    SELECT currency, count(*) AS count, sum(delta_net)::text AS amount
    FROM revision
    WHERE view = ${view} AND version = ${version} AND kind <> 'on-time' AND kind <> 'inactivity' AND at > ${BigInt(after)}
    GROUP BY currency
    ORDER BY currency`
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

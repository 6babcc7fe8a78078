import type { QuarantinedEvent } from '../contracts/flush'
import { QUARANTINE_CODES } from '../contracts/quarantine'
import type { Store } from './client'

/** Quarantined events that wait, newest first. */
export async function readQuarantine({ prisma }: Store, limit: number): Promise<QuarantinedEvent[]> {
  const rows = await prisma.quarantine.findMany({
    where: { status: 'waiting' },
    orderBy: [{ receivedAt: 'desc' }, { position: 'desc' }, { index: 'asc' }],
    take: limit,
  })
  return rows.map(({ status: _, ...row }) => ({
    ...row,
    code: codeOf(row.code),
    position: Number(row.position),
    receivedAt: Number(row.receivedAt),
  }))
}

/** How many quarantined events wait. */
export async function countQuarantine({ prisma }: Store): Promise<number> {
  return prisma.quarantine.count({ where: { status: 'waiting' } })
}

function codeOf(text: string): QuarantinedEvent['code'] {
  const code = QUARANTINE_CODES.find((known) => known === text)
  if (code === undefined) throw new RangeError(`unknown quarantine code in the database: ${text}`)
  return code
}

import type { Store } from '../client'

/** Late events that were written off because the journal no longer holds them, ever. */
export async function readLateWrittenOff({ prisma }: Store): Promise<number> {
  const row = await prisma.retention.findUnique({ where: { name: 'journal' }, select: { writtenOff: true } })
  return Number(row?.writtenOff ?? 0n)
}

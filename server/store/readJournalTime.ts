import type { Store } from './client'

/** Journal time of the last record whose results are committed, ms; null before the first flush. */
export async function readJournalTime({ prisma }: Store): Promise<number | null> {
  const state = await prisma.pipelineState.findUnique({ where: { id: 1 }, select: { at: true } })
  return state ? Number(state.at) : null
}

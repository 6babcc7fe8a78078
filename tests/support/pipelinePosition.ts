import type { Store } from '@/server/store/client'

/** Journal position whose results the database holds. */
export async function pipelinePosition({ prisma }: Store): Promise<number> {
  return Number((await prisma.pipelineState.findUniqueOrThrow({ where: { id: 1 } })).position)
}

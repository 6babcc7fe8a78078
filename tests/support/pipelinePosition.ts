import type { Store } from '@/server/store/client'

/** Journal position whose results the database holds; 0 before the first flush. */
export async function pipelinePosition({ prisma }: Store): Promise<number> {
  return Number((await prisma.pipelineState.findUnique({ where: { id: 1 } }))?.position ?? 0n)
}

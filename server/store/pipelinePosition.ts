import type { Store } from './client'

/** Journal position whose results the database holds; 0 before the first flush. */
export async function pipelinePosition({ prisma }: Store): Promise<number> {
  const state = await prisma.pipelineState.findUnique({ where: { id: 1 }, select: { position: true } })
  return Number(state?.position ?? 0n)
}

import { PipelineSpec } from '../contracts/pipelineSpec'
import type { Store } from './client'

/** The newest definition that results were computed by; null before the first flush. */
export async function readSpecInForce({ prisma }: Store): Promise<PipelineSpec | null> {
  const row = await prisma.specVersion.findFirst({ orderBy: { position: 'desc' }, select: { spec: true } })
  return row ? PipelineSpec.parse(row.spec) : null
}

import { PipelineSpec } from '../contracts/pipelineSpec'
import type { Store } from './client'

/** The definition that the database began with; null before the first flush. */
export async function readFirstSpec({ prisma }: Store): Promise<PipelineSpec | null> {
  const row = await prisma.specVersion.findFirst({ orderBy: { position: 'asc' }, select: { spec: true } })
  return row ? PipelineSpec.parse(row.spec) : null
}

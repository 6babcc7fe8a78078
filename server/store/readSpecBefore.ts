import { PipelineSpec } from '../contracts/pipelineSpec'
import type { Store } from './client'

/** The definition that was in force just before a position; null when none is known. */
export async function readSpecBefore({ prisma }: Store, position: number): Promise<PipelineSpec | null> {
  const row = await prisma.specVersion.findFirst({
    where: { position: { lt: position } },
    orderBy: { position: 'desc' },
    select: { spec: true },
  })
  return row ? PipelineSpec.parse(row.spec) : null
}

import type { Store } from './client'
import { fence } from './lease'

/**
 * Position whose results the database holds, as a new leader goes on from; 0 before the first flush. Revisions of a
 * flush of several transactions that did not come to its end are taken out: its records are folded again. Rejects with
 * LeaseLost when `epoch` is not the one in force.
 */
export async function beginResults({ prisma }: Store, epoch: number): Promise<number> {
  return prisma.$transaction(
    async (tx) => {
      await fence(tx, epoch)
      const state = await tx.pipelineState.findUnique({
        where: { id: 1 },
        select: { position: true, flushTo: true },
      })
      if (!state) return 0
      if (state.flushTo !== null) {
        await tx.revision.deleteMany({ where: { pos: { gt: state.position } } })
        await tx.pipelineState.update({ where: { id: 1 }, data: { flushTo: null, cursor: 0 } })
      }
      return Number(state.position)
    },
    { timeout: 60_000, maxWait: 10_000 },
  )
}

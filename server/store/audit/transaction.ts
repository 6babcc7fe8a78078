import type { Store } from '../client'
import type { Transaction } from '../write/rows'
import { makeShadows } from './shadows'

/** An audit of a large journal takes as long as it takes, ms. */
const A_DAY = 86_400_000

/**
 * Runs `work` on one moment of the database, which a server may go on writing to meanwhile: one REPEATABLE READ
 * transaction that can write to nothing but its own temporary tables.
 */
export function auditing<T>({ prisma }: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return prisma.$transaction(
    async (tx) => {
      await withoutLimits(tx)
      // Tables can be made before the transaction becomes read-only, and temporary ones filled afterwards.
      await makeShadows(tx)
      await tx.$executeRawUnsafe('SET TRANSACTION READ ONLY')
      return work(tx)
    },
    { isolationLevel: 'RepeatableRead', timeout: A_DAY, maxWait: 10_000 },
  )
}

/** The store's limits are those of a server that must answer. */
export async function withoutLimits(tx: Transaction): Promise<void> {
  await tx.$executeRawUnsafe('SET LOCAL statement_timeout = 0')
  await tx.$executeRawUnsafe('SET LOCAL idle_in_transaction_session_timeout = 0')
}

import { withClient } from '../../platform/schemaEngine/databaseUrl.mjs'
import { withoutLimits } from '../audit/transaction'
import type { Store } from '../client'
import type { Transaction } from '../write/rows'

const A_DAY = 86_400_000

/** Runs `work` in one transaction that takes as long as it takes; what it throws takes everything back. */
export function erasing<T>({ prisma }: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return prisma.$transaction(
    async (tx) => {
      await withoutLimits(tx)
      return work(tx)
    },
    { isolationLevel: 'RepeatableRead', timeout: A_DAY, maxWait: 10_000 },
  )
}

/** An UPDATE leaves the old row in the table's file until it is vacuumed. */
export function vacuum(url: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query('SET statement_timeout = 0')
    await client.query(
      'VACUUM journal, late_event, quarantine, window_row, revision, snapshot, snapshot_segment',
    )
  })
}

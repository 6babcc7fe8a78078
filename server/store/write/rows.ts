import type { Store } from '../client'

/** An open transaction. */
export type Transaction = Parameters<Parameters<Store['prisma']['$transaction']>[0]>[0]

/** Runs a set-based statement on rows that it gets as one JSON array; nothing where there are none. */
export async function writeRows(tx: Transaction, sql: string, rows: readonly unknown[]): Promise<void> {
  if (rows.length > 0) await tx.$executeRawUnsafe(sql, JSON.stringify(rows))
}

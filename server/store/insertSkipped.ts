import type { Store } from './client'

/** A damaged journal record that the engine is to pass over, and who said so. */
export interface SkippedRecord {
  readonly position: number
  readonly by: string
  readonly reason: string
  /** What is wrong with it, in words. */
  readonly fault: string
}

/** Notes that a record is passed over. Rejects when it is already. */
export async function insertSkipped({ prisma }: Store, record: SkippedRecord): Promise<void> {
  await prisma.skippedRecord.create({ data: record })
}

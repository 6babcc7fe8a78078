import type { TableSize } from '../contracts/storage'
import type { Store } from './client'

/** Bytes of the whole database on disk. Postgres looks at each of its files, so ask rarely. */
export async function readDatabaseSize({ prisma }: Store): Promise<number> {
  const rows = await prisma.$queryRawUnsafe<{ bytes: bigint }[]>(
    'SELECT pg_database_size(current_database()) AS bytes',
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** Bytes of each table of Tidemark, with its indexes, largest first. Ask rarely. */
export async function readTableSizes({ prisma }: Store): Promise<TableSize[]> {
  const rows = await prisma.$queryRawUnsafe<{ name: string; bytes: bigint }[]>(
    `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
       AND c.relname NOT LIKE '\\_prisma%'
     ORDER BY bytes DESC, name`,
  )
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }))
}

import type pg from 'pg'
import type { BackupTable } from '../../contracts/backup'

/** Prisma writes the first itself; the second says who runs now, which a copy of the data does not. */
const LEFT_OUT = ['_prisma_migrations', 'engine_lease']

/** The tables of the database with the columns that can be written, by name. */
export async function readTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname <> ALL ($1::text[])
     GROUP BY c.relname ORDER BY c.relname`,
    [LEFT_OUT],
  )
  return rows
}

/** Applied migrations in order; none for a database that was never migrated. */
export async function readMigrations(client: pg.Client): Promise<string[]> {
  const there = await client.query<{ there: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there`,
  )
  if (!there.rows[0]?.there) return []
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return rows.map(({ name }) => name)
}

/** Bytes on disk, about: for a bar that shows how far a backup is. */
export async function readSize(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query<{ size: string }>('SELECT pg_table_size($1::regclass) AS size', [
    client.escapeIdentifier(name),
  ])
  return Number(rows[0]?.size ?? 0)
}

/** `"table" ("column", …)`, as COPY takes it. */
export function copyTarget(client: pg.Client, { name, columns }: BackupTable): string {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  return `${client.escapeIdentifier(name)} (${list})`
}

import { query } from './database'

/** Rows and a checksum of every table, whatever the order in which they lie; without who runs, and Prisma's own. */
export async function fingerprint(url: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
     AND relname NOT IN ('_prisma_migrations', 'engine_lease') ORDER BY 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await query<{ sum: string }>(
      url,
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS sum FROM "${name}" t`,
    )
    found[name] = row?.sum ?? ''
  }
  return found
}

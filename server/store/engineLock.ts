import pg from 'pg'
import { splitUrl } from '../platform/schemaEngine/databaseUrl.mjs'
import { StartupError } from '../platform/startupError'

/** "tidemark" in ASCII, as the number of the advisory lock. */
const LOCK = '8388346167743836779'
const PATIENCE = 15_000
const PAUSE = 500

/**
 * Makes sure that one engine runs on a database: an advisory lock on a connection of its own, which Postgres lets go
 * when the process dies. Waits a little for a server that is just going down. Throws StartupError when another one
 * runs. Returns how to let go.
 */
export async function lockEngine(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({
    connectionString: splitUrl(url).connectionString,
    application_name: 'tidemark lock',
  })
  // A restart of the database ends the lock; positions that do not fit still stop a second writer.
  client.on('error', () => {})
  await client.connect()
  const until = Date.now() + PATIENCE
  while (!(await tryLock(client))) {
    if (Date.now() > until) {
      await client.end()
      throw new StartupError(
        'another Tidemark runs on this database',
        'Stop it first, or give this one a database of its own with DATABASE_URL.',
      )
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  return () => client.end().catch(() => {})
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ ok: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS ok', [
    LOCK,
  ])
  return rows[0]?.ok === true
}

import { connectError } from '../platform/connectError'
import { withClient } from '../platform/schemaEngine/databaseUrl.mjs'
import { StartupError } from '../platform/startupError'

/** "tidemigr" in ASCII; another number than the engine's lock, which a running server holds. */
const LOCK = 0x746964656d696772n
const PAUSE = 200
/** A migration of much data may take long; a starter that hangs for good must not hold up the next one silently. */
const GIVE_UP_AFTER = 15 * 60_000

/**
 * Runs `work` while no other starter migrates this database. Prisma's own lock gives up after 10 s, and its waiting
 * statement would hold up a CREATE INDEX CONCURRENTLY of the starter before it; so this one is polled. It is gone
 * with its connection, whatever happens to the process. Throws StartupError where the database cannot be reached.
 */
export async function underMigrationLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  let locked = false
  try {
    return await withClient(url, async (client) => {
      const until = performance.now() + GIVE_UP_AFTER
      while (!(await tryLock(client))) {
        if (performance.now() > until) throw stuck()
        await new Promise((resolve) => setTimeout(resolve, PAUSE))
      }
      locked = true
      return work()
    })
  } catch (error) {
    throw locked ? error : connectError(error, url)
  }
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0]

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    String(LOCK),
  ])
  return rows[0]?.locked === true
}

function stuck(): StartupError {
  return new StartupError(
    'another process has been migrating this database for 15 minutes',
    'See what it does in pg_stat_activity; end it if it hangs, and start Tidemark again.',
  )
}

import pg from 'pg'
import { diskFullSays, diskRoom, inWords, isShort, stopUnder } from './diskRoom'
import { type Check, checkOf } from './doctorChecks'
import type { Env } from './env'
import { splitUrl } from './schemaEngine/databaseUrl.mjs'
import { StartupError } from './startupError'

type Settings = Pick<Env, 'TIDEMARK_DISK_STOP' | 'TIDEMARK_MAX_DATABASE'>

/** The disk of the embedded Postgres has room: a server on it would take orders. */
export function checkDisk(folder: string, { TIDEMARK_DISK_STOP: setting }: Settings): Promise<Check> {
  return checkOf('disk', async () => {
    const room = await diskRoom(folder)
    if (isShort(room, setting, false)) {
      throw new StartupError(`${inWords(room.free)} left on the disk`, diskFullSays(folder, room, setting))
    }
    return `${inWords(room.free)} of ${inWords(room.total)} free; no orders are taken below ${inWords(stopUnder(room, setting))}`
  })
}

/** The database is smaller than it may be. */
export function checkSize(url: string, { TIDEMARK_MAX_DATABASE: most }: Settings): Promise<Check> {
  return checkOf('database size', async () => {
    const bytes = await sizeOf(url)
    if (most === undefined) return inWords(bytes)
    if (bytes < most) return `${inWords(bytes)} of ${inWords(most)}`
    throw new StartupError(
      `${inWords(bytes)}, and TIDEMARK_MAX_DATABASE allows ${inWords(most)}: orders are refused`,
      'Raise TIDEMARK_MAX_DATABASE, or keep less (TIDEMARK_KEEP_JOURNAL, TIDEMARK_KEEP_ROWS) and run VACUUM FULL.',
    )
  })
}

async function sizeOf(url: string): Promise<number> {
  const client = new pg.Client({
    connectionString: splitUrl(url).connectionString,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT pg_database_size(current_database()) AS bytes',
    )
    return Number(rows[0]?.bytes ?? 0)
  } finally {
    await client.end()
  }
}

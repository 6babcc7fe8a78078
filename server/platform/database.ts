import { startEmbeddedPostgres } from './embeddedPostgres'
import type { Env } from './env'
import type { Logger } from './logger'
import { PROJECT_ROOT } from './projectRoot'

/** The database that this run uses. */
export interface Database {
  readonly url: string
  readonly embedded: boolean
  /** Stops the embedded Postgres; does nothing for one of your own. */
  close(): Promise<void>
  /** Tells the embedded Postgres to stop, and waits for nothing: for a process that has no time left. */
  abandon(): void
  /** Folder of the embedded Postgres's data; null for one of your own, which may be anywhere. */
  readonly dataFolder: string | null
}

/** DATABASE_URL set: that Postgres. Unset: the embedded one, started or adopted. Throws StartupError. */
export async function openDatabase(
  env: Pick<Env, 'DATABASE_URL' | 'TIDEMARK_DATA_DIR'>,
  logger?: Logger,
  projectRoot = PROJECT_ROOT,
): Promise<Database> {
  if (env.DATABASE_URL) {
    const nothing = { close: async () => {}, abandon: () => {}, dataFolder: null }
    return { url: env.DATABASE_URL, embedded: false, ...nothing }
  }
  const { url, stop, abandon, place } = await startEmbeddedPostgres({
    projectRoot,
    dataDir: env.TIDEMARK_DATA_DIR,
    logger,
  })
  return { url, embedded: true, close: stop, abandon, dataFolder: place.data }
}

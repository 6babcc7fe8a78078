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
}

/** DATABASE_URL set: that Postgres. Unset: the embedded one, started or adopted. Throws StartupError. */
export async function openDatabase(
  env: Pick<Env, 'DATABASE_URL' | 'TIDEMARK_DATA_DIR'>,
  logger?: Logger,
  projectRoot = PROJECT_ROOT,
): Promise<Database> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, embedded: false, close: async () => {} }
  const { url, stop } = await startEmbeddedPostgres({ projectRoot, dataDir: env.TIDEMARK_DATA_DIR, logger })
  return { url, embedded: true, close: stop }
}

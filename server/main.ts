import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import next from 'next'
import type { OnCommitted } from './contracts/committed'
import type { PipelineSpec } from './contracts/pipelineSpec'
import type { StorageFull } from './contracts/storage'
import type { Full } from './ingest/capacity'
import { createHttpRoute } from './ingest/httpRoute'
import { createIngest } from './ingest/ingest'
import { LiveGateway } from './live/gateway'
import { openDatabase } from './platform/database'
import type { Env } from './platform/env'
import { FrontDoor } from './platform/frontDoor'
import type { HttpOptions } from './platform/httpServer'
import type { Logger } from './platform/logger'
import type { Shutdown } from './platform/shutdown'
import { createLatePast } from './runner/lateStore/latePast'
import { PostgresHistory } from './runner/lateStore/postgresHistory'
import type { RunnerPort } from './runner/port'
import { keepOf } from './runner/retention/keepOf'
import { type Role, startRole } from './runner/role'
import { giveCommand } from './services/giveCommand'
import { Health } from './services/health/health'
import { healthRoute } from './services/healthRoute'
import { createKeyVerifier } from './services/keys/verifyKey'
import { reinject } from './services/late/reinject'
import { voidEvents } from './services/late/void'
import { writeOff } from './services/late/writeOff'
import type { OperatorServices, ReadServices } from './services/port'
import { createReadServices } from './services/readServices'
import { StorageWatch } from './services/storage/storageWatch'
import { createStore, type Store } from './store/client'
import { openLease } from './store/lease'
import { migrate } from './store/migrate'
import type { Push } from './trpc/context'
import { createTrpcHandler, TRPC_BASE } from './trpc/handler'

export interface ServerOptions {
  readonly env: Env
  /** What an empty database starts with. `explicit`: somebody asked for it, so another one there is an error. */
  readonly pipeline: { readonly spec: PipelineSpec; readonly explicit: boolean }
  readonly logger: Logger
  /** Gets a closer for each thing that is opened, in order. */
  readonly shutdown: Shutdown
}

export interface RunningServer {
  readonly url: string
  readonly store: Store
  readonly runner: RunnerPort
}

const wall = () => Date.now()
const monotonic = () => performance.now()

/** The composition root: opens everything in the order of an order's path, and hands each part what it needs. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { logger, shutdown, pipeline } = options
  const health = new Health({ wall, monotonic })
  const onError = (err: unknown) => logger.error({ err }, 'request failed')
  const { HOST: host, PORT: port } = options.env
  const door = await FrontDoor.listen({ host, port, onError, always: healthRoute(health) })
  const { store, lease, me, dataFolder } = await openStore(options, health)
  const onFatal = (error: Error) => {
    logger.fatal({ err: error }, 'cannot go on')
    void shutdown.run('fatal error', 1)
  }
  const keep = keepOf(options.env)
  const role = await startRole({ store, lease, me, pipeline, keep, logger, onFatal, wall, monotonic })
  shutdown.add('engine', () => role.stop())
  const storage = await StorageWatch.start({
    store,
    logger,
    folder: dataFolder,
    stop: options.env.TIDEMARK_DISK_STOP,
    most: options.env.TIDEMARK_MAX_DATABASE,
    postgresFull: () => role.diskFull(),
  })
  shutdown.add('storage watch', () => storage.stop())
  health.follow({ status: () => role.runner.status(), noRoom: () => storage.status().full?.message ?? null })
  const url = await serve({ store, role, door, storage }, options)
  health.enter('running')
  shutdown.add('health', () => health.enter('stopping'))
  return { url, store, runner: role.runner }
}

async function openStore({ env, logger, shutdown }: ServerOptions, health: Health) {
  const database = await openDatabase(env, logger)
  shutdown.add('database', () => database.close(), database.abandon)
  shutdown.throwIfStopping()
  health.enter('migrating')
  await migrate(database.url)
  health.enter('recovering')
  shutdown.throwIfStopping()
  const me = { holder: `tidemark ${randomUUID()}`, url: urlOf(env) }
  const lease = openLease(database.url, me.holder)
  shutdown.add('lease', () => lease.close())
  const store = createStore(database.url, {
    // By which a successor ends what this process may still have under way (design.md §4).
    applicationName: me.holder,
    onConnectionError: (err) => logger.warn({ err }, 'a database connection broke'),
  })
  shutdown.add('store', () => store.close())
  return { store, lease, me, dataFolder: database.dataFolder }
}

function urlOf({ HOST, PORT }: Env): string {
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`
}

/** What the transports stand on. */
interface Parts {
  readonly store: Store
  readonly role: Role
  readonly door: FrontDoor
  readonly storage: StorageWatch
}

/** Everything that answers a request and is no page, in the order in which it is tried. */
function apiHandlers(
  { store, role, storage }: Parts,
  services: ReadServices,
  logger: Logger,
): HttpOptions['handlers'] {
  const { runner, journal, clock, refusal } = role
  const ingest = createIngest({
    journal,
    journalClock: clock,
    spec: () => runner.spec(),
    keys: createKeyVerifier({ store }),
    capacity: (source) => noDisk(storage.refuses()) ?? runner.roomFor(source),
    refusal,
  })
  const onError = (err: unknown, requestId: string) => logger.error({ err, requestId }, 'request failed')
  const push = ({ authorization, ...input }: Push) =>
    ingest.pushValues({ ...input, authorization: authorization ?? undefined })
  const late = { store, runner, past: createLatePast(store, new PostgresHistory(store)) }
  const operator: OperatorServices = {
    giveCommand: (input) => giveCommand({ store, runner }, input),
    reinject: (input) => reinject(late, input),
    writeOff: (input) => writeOff(late, input),
    voidEvents: (input) => voidEvents(late, input),
  }
  const { authorize } = ingest
  const trpc = createTrpcHandler(
    { services, operator, ingest: { push }, authorize },
    ({ error, requestId, path }) => {
      if (error.code === 'internal') logger.error({ err: error, requestId, path }, 'request failed')
    },
  )
  const trpcRoute = (req: IncomingMessage, res: ServerResponse) => {
    if (!req.url?.startsWith(TRPC_BASE)) return false
    trpc(req, res)
    return true
  }
  return [createHttpRoute(ingest, { onError }), trpcRoute]
}

function noDisk(full: StorageFull | null): Full | null {
  return full && { limit: 'disk', message: full.message }
}

async function serve(parts: Parts, { env, logger, shutdown }: ServerOptions): Promise<string> {
  const { store, role, door, storage } = parts
  const { runner } = role
  const { http } = door
  const services = createReadServices({ store, runner, now: wall, storage: () => storage.status() })
  // Next hangs its hot reload on the server that it is given, beside the sockets' own upgrade.
  const dev = env.NODE_ENV === 'development'
  const app = next({ dev, hostname: env.HOST, port: env.PORT, httpServer: http })
  await app.prepare()
  const onCommitted: OnCommitted = (listener) => runner.onCommitted(listener)
  const live = new LiveGateway({ http, services, spec: () => runner.spec(), onCommitted, logger })
  door.open(apiHandlers(parts, services, logger), app.getRequestHandler())
  shutdown.add('pages', () => app.close())
  // Together: closing the sockets waits for the server under them.
  shutdown.add('http and sockets', () => Promise.all([door.close(), live.close()]))
  return urlOf(env)
}

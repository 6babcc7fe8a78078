import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import next from 'next'
import type { OnCommitted } from './contracts/committed'
import type { PipelineSpec } from './contracts/pipelineSpec'
import { createHttpRoute } from './ingest/httpRoute'
import { createIngest } from './ingest/ingest'
import { createJournalClock } from './journal/clock'
import type { JournalClock } from './journal/port'
import { PostgresJournal } from './journal/postgres'
import { LiveGateway } from './live/gateway'
import { openDatabase } from './platform/database'
import type { Env } from './platform/env'
import { createHttpServer, type HttpOptions, listen } from './platform/httpServer'
import type { Logger } from './platform/logger'
import type { Shutdown } from './platform/shutdown'
import { beginJournal } from './runner/begin'
import { hydrate } from './runner/lateStore/hydrate'
import { createLatePast } from './runner/lateStore/latePast'
import { PostgresHistory } from './runner/lateStore/postgresHistory'
import { startLateStore } from './runner/lateStore/startLateStore'
import { Runner } from './runner/runner'
import { startTicker } from './runner/ticker'
import { giveCommand } from './services/giveCommand'
import { healthRoute } from './services/healthRoute'
import { createKeyVerifier } from './services/keys/verifyKey'
import { reinject } from './services/late/reinject'
import { voidEvents } from './services/late/void'
import { writeOff } from './services/late/writeOff'
import type { OperatorServices, ReadServices } from './services/port'
import { createReadServices } from './services/readServices'
import { createStore, type Store } from './store/client'
import { commitFlush, PositionMoved } from './store/commitFlush'
import { lockEngine } from './store/engineLock'
import { migrate } from './store/migrate'
import { pipelinePosition } from './store/pipelinePosition'
import { readSpecInForce } from './store/readSpecInForce'
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
  readonly runner: Runner
}

const wall = () => Date.now()
const monotonic = () => performance.now()

/** The composition root: opens everything in the order of an order's path, and hands each part what it needs. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { logger, shutdown } = options
  const store = await openStore(options)
  const onFatal = (error: Error) => {
    logger.fatal({ err: error }, 'cannot go on')
    void shutdown.run('fatal error', 1)
  }
  const { journal, clock } = await openJournal(store, options, onFatal)
  const runner = await Runner.start({
    journal,
    journalClock: clock,
    commit: (flush) => commitFlush(store, flush),
    hydrate: (state, command, position) => hydrate(state, command, position, new PostgresHistory(store)),
    isFatal: (error) => error instanceof PositionMoved,
    committedPosition: () => pipelinePosition(store),
    now: wall,
    logger,
    onFatal,
  })
  shutdown.add('runner', () => runner.stop())
  shutdown.add('journal', () => journal.close())
  shutdown.add(
    'ticker',
    startTicker({ journal, journalClock: clock, timeMatters: () => runner.timeMatters(), logger }),
  )
  const history = new PostgresHistory(store)
  shutdown.add('late store', startLateStore({ store, history, runner, logger, monotonic }))
  const url = await serve({ store, runner, journal, clock }, options)
  return { url, store, runner }
}

async function openStore({ env, logger, shutdown }: ServerOptions): Promise<Store> {
  const database = await openDatabase(env, logger)
  shutdown.add('database', () => database.close())
  await migrate(database.url)
  const unlock = await lockEngine(database.url)
  shutdown.add('engine lock', unlock)
  const store = createStore(database.url, {
    onConnectionError: (err) => logger.warn({ err }, 'a database connection broke'),
  })
  shutdown.add('store', () => store.close())
  return store
}

async function openJournal(
  store: Store,
  { pipeline, logger }: ServerOptions,
  onFatal: (error: Error) => void,
) {
  const journal = await PostgresJournal.open({ store, logger, monotonic, onFatal })
  const end = await journal.end()
  const clock = createJournalClock({ wall, monotonic }, end?.at ?? 0)
  await beginJournal(journal, clock, pipeline, await readSpecInForce(store))
  return { journal, clock }
}

/** What the transports stand on. */
interface Parts {
  readonly store: Store
  readonly runner: Runner
  readonly journal: PostgresJournal
  readonly clock: JournalClock
}

/** Everything that answers a request and is no page, in the order in which it is tried. */
function apiHandlers(parts: Parts, services: ReadServices, logger: Logger): HttpOptions['handlers'] {
  const ingest = createIngest({
    journal: parts.journal,
    journalClock: parts.clock,
    spec: () => parts.runner.spec(),
    keys: createKeyVerifier({ store: parts.store }),
    capacity: (source) => parts.runner.roomFor(source),
  })
  const onError = (err: unknown, requestId: string) => logger.error({ err, requestId }, 'request failed')
  const push = ({ authorization, ...input }: Push) =>
    ingest.pushValues({ ...input, authorization: authorization ?? undefined })
  const late = { ...parts, past: createLatePast(parts.store, new PostgresHistory(parts.store)) }
  const operator: OperatorServices = {
    giveCommand: (input) => giveCommand(parts, input),
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
  return [healthRoute(services), createHttpRoute(ingest, { onError }), trpcRoute]
}

async function serve(parts: Parts, { env, logger, shutdown }: ServerOptions): Promise<string> {
  const { store, runner } = parts
  const services = createReadServices({ store, runner, now: wall })
  let pages: RequestListener = (_, res) => res.writeHead(503, { 'Retry-After': '1' }).end('Starting.\n')
  const http = createHttpServer({
    host: env.HOST,
    port: env.PORT,
    handlers: apiHandlers(parts, services, logger),
    otherwise: (req, res) => pages(req, res),
    onError: (err) => logger.error({ err }, 'request failed'),
  })
  // Next hangs its hot reload on the server that it is given, beside the sockets' own upgrade.
  const dev = env.NODE_ENV === 'development'
  const app = next({ dev, hostname: env.HOST, port: env.PORT, httpServer: http })
  await app.prepare()
  pages = app.getRequestHandler()
  const onCommitted: OnCommitted = (listener) => runner.onCommitted(listener)
  const live = new LiveGateway({ http, services, spec: () => runner.spec(), onCommitted, logger })
  await listen(http, env.HOST, env.PORT)
  shutdown.add('pages', () => app.close())
  shutdown.add('http', () => closeHttp(http))
  shutdown.add('sockets', () => live.close())
  return `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${env.PORT}`
}

/** Lets requests that are under way end; connections that only wait are closed. */
async function closeHttp(http: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeIdleConnections()
  const force = setTimeout(() => http.closeAllConnections(), 5_000)
  await closed
  clearTimeout(force)
}

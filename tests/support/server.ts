import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@/server/platform/database'
import { createKey } from '@/server/services/keys/createKey'
import { createStore } from '@/server/store/client'
import { ROOT, TIDEMARK } from './cli'

const START_LIMIT = 120_000

export interface TestServer {
  readonly url: string
  readonly databaseUrl: string
  /** An ingest key for every source. */
  readonly key: string
  readonly pid: number
  readonly log: () => string
  /** As `kill` on a command line. */
  signal(signal: NodeJS.Signals): void
  /** As a crash does it: nothing is closed. */
  kill(): Promise<void>
  /** As an operator does it. Resolves with the exit code. */
  stop(): Promise<number | null>
}

export interface TestServerOptions {
  /** A database of its own, or a data folder for the embedded Postgres. */
  readonly database: { readonly url: string } | { readonly dataDir: string }
  /** Pipeline definition, as in TIDEMARK_SPEC. */
  readonly spec?: unknown
  readonly port?: number
  readonly env?: Record<string, string>
  /** Resolve when it is ready to take orders; else as soon as it serves pages. */
  readonly untilReady?: boolean
}

/** A server in a process of its own that may not have come up yet, or may never do. */
export interface LaunchedServer {
  readonly url: string
  readonly child: ChildProcess
  readonly log: () => string
  /** Sends a signal and resolves with the exit code; null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the real server as `npm start` runs it, and does not wait for it. */
export async function launchServer(options: TestServerOptions): Promise<LaunchedServer> {
  const port = options.port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-server-'))
  const env: Record<string, string> = {
    ...databaseEnv(options.database),
    PORT: String(port),
    LOG_LEVEL: 'info',
  }
  if (options.spec !== undefined) {
    env.TIDEMARK_SPEC = join(folder, 'spec.json')
    writeFileSync(env.TIDEMARK_SPEC, JSON.stringify(options.spec))
  }
  const child = spawn(process.execPath, [...TIDEMARK, 'start'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', ...env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output = (output + data).slice(-20_000)
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    const code = await ended(child, signal)
    rmSync(folder, { recursive: true, force: true })
    return code
  }
  return { url: `http://127.0.0.1:${port}`, child, log: () => output, end }
}

/** The real server in a process of its own, as `npm start` runs it. Resolves when it is ready. */
export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const { url, child, log, end } = await launchServer(options)
  await untilUp(child, url, log, options.untilReady ?? true)
  const databaseUrl = await urlOf(options.database)
  const key = await keyIn(databaseUrl)
  return {
    url,
    databaseUrl,
    key,
    log,
    pid: child.pid ?? 0,
    signal: (signal) => void child.kill(signal),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

function databaseEnv(database: TestServerOptions['database']): Record<string, string> {
  // An empty variable counts as unset, whatever the test run itself was given.
  if ('url' in database) return { DATABASE_URL: database.url }
  return { DATABASE_URL: '', TIDEMARK_DATA_DIR: database.dataDir }
}

/** Of the embedded Postgres that the server holds: shared with it, so not ours to stop. */
async function urlOf(database: TestServerOptions['database']): Promise<string> {
  if ('url' in database) return database.url
  return (await openDatabase({ TIDEMARK_DATA_DIR: database.dataDir })).url
}

async function keyIn(url: string): Promise<string> {
  const store = createStore(url)
  const { key } = await createKey(store, { name: 'test' })
  await store.close()
  return key
}

async function untilUp(
  child: ChildProcess,
  url: string,
  log: () => string,
  untilReady: boolean,
): Promise<void> {
  const until = performance.now() + START_LIMIT
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${log()}`)
    const up = await fetch(`${url}/api/health/ready`).then(
      async (r) => r.ok || (!untilReady && ((await r.json()) as { phase: string }).phase === 'running'),
      () => false,
    )
    if (up) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGKILL')
  throw new Error(`the server was not ready within ${START_LIMIT} ms:\n${log()}`)
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })
}

/** A port that nobody listens on, below the ephemeral range so that no outgoing connection takes it meanwhile. */
export async function freePort(): Promise<number> {
  for (let port = 21_000 + (process.pid % 5_000); ; port++) {
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (free) return port
  }
}

/** Sends events to the raw route; resolves with status and body. */
export async function push(
  server: TestServer,
  source: string,
  events: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${server.url}/api/ingest/${source}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.key}`, ...headers },
    body: JSON.stringify(events),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
}

/** Resolves when everything that was acknowledged is in the database: totals of open windows are written once a second. */
export async function settled(server: TestServer): Promise<void> {
  for (;;) {
    const health = await fetch(`${server.url}/api/health/ready`)
    const { journaled, committed } = (await health.json()) as { journaled: number; committed: number }
    if (journaled === committed) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await new Promise((resolve) => setTimeout(resolve, 1_500))
}

/** Asks a tRPC query. */
export async function query<T>(server: TestServer, path: string, input: unknown = undefined): Promise<T> {
  const params = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const response = await fetch(`${server.url}/api/trpc/${path}${params}`)
  const body = (await response.json()) as { result?: { data: T }; error?: { message: string } }
  if (!body.result) throw new Error(body.error?.message ?? `status ${response.status}`)
  return body.result.data
}

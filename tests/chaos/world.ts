import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openDatabase } from '../../server/platform/database'
import { placeOf } from '../../server/platform/embedded/place'
import { findPostmaster } from '../../server/platform/embedded/postmaster'
import { migrate } from '../../server/store/migrate'
import { ROOT } from '../support/cli'
import { freePort, type TestServerOptions } from '../support/server'
import { tcpProxy } from '../support/tcpProxy'
import { ChaosServer } from './chaosServer'
import { ChaosPostgres } from './postgres'

/** How a database is ended and comes back. */
export interface ChaosDatabase {
  readonly url: string
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Undoes what was done to it. */
  mend(): Promise<void>
  fillDisk?(): void
  remove(): Promise<void>
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Windows of ten seconds, so that many fire, are corrected and close within minutes. */
const SPEC = {
  allowedLateness: '20s',
  idleTimeout: '5s',
  strategy: { kind: 'bounded', bound: '3s' },
  views: [
    { id: 'gmv_10s', window: { kind: 'tumbling', size: '10s' }, groupBy: ['region', 'channel'] },
    { id: 'gmv_1m', window: { kind: 'tumbling', size: '1m' } },
    { id: 'users', window: { kind: 'tumbling', size: '20s' }, groupBy: ['userId'] },
    { id: 'day', window: { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' } },
    { id: 'arrivals', window: { kind: 'tumbling', size: '10s' }, time: 'journal' },
  ],
}

/** Two servers on one database, and everything that can be done to them. */
export class World {
  readonly servers: readonly ChaosServer[]
  readonly database: ChaosDatabase
  readonly proxy: Awaited<ReturnType<typeof tcpProxy>> | null
  readonly #clock: string

  private constructor(
    servers: readonly ChaosServer[],
    database: ChaosDatabase,
    proxy: World['proxy'],
    clock: string,
  ) {
    this.servers = servers
    this.database = database
    this.proxy = proxy
    this.#clock = clock
  }

  /** On a Postgres whose binaries are in `bin`, through a proxy. */
  static async own(folder: string, bin: string): Promise<World> {
    const postgres = await ChaosPostgres.create(folder, bin)
    const url = postgres.urlOf('chaos')
    const proxy = await tcpProxy(new URL(url))
    const database: ChaosDatabase = {
      url,
      end: (signal) => postgres.end(signal),
      mend: async () => {
        postgres.freeDisk()
        await postgres.start()
      },
      ...(postgres.onSmallDisk && { fillDisk: () => postgres.fillDisk() }),
      remove: async () => {
        await proxy.close()
        await postgres.remove()
      },
    }
    return World.#with(folder, { url: proxy.url }, database, proxy)
  }

  /** On the embedded Postgres, which the servers start, share and bring back. */
  static async embedded(folder: string): Promise<World> {
    const dataDir = join(folder, 'embedded')
    const first = await openDatabase({ TIDEMARK_DATA_DIR: dataDir })
    const postmaster = () => findPostmaster(placeOf('', null, dataDir))
    const database: ChaosDatabase = {
      url: first.url,
      end: async (signal) => {
        const found = postmaster()
        if (found) process.kill(found.pid, signal)
      },
      mend: async () => {},
      remove: () => first.close(),
    }
    await migrate(first.url)
    return World.#with(folder, { dataDir }, database, null)
  }

  static async #with(
    folder: string,
    where: TestServerOptions['database'],
    database: ChaosDatabase,
    proxy: World['proxy'],
  ): Promise<World> {
    const clock = join(folder, 'clock')
    writeFileSync(clock, '0')
    const preload = pathToFileURL(join(ROOT, 'tests/chaos/clock.mjs'))
    const env = { CHAOS_CLOCK: clock, NODE_OPTIONS: `--import ${preload}`, LOG_LEVEL: 'info' }
    const port = await freePort()
    await migrate(database.url)
    const servers = [port, port + 1].map(
      (at) => new ChaosServer({ database: where, spec: SPEC, port: at, env }),
    )
    return new World(servers, database, proxy, clock)
  }

  /** Offset of the servers' wall clocks, ms. */
  setClock(offset: number): void {
    writeFileSync(this.#clock, String(offset))
  }

  /** Who takes orders now; whoever is up where nobody does. */
  async leader(): Promise<ChaosServer> {
    for (const server of this.servers) if (server.up && (await server.leads())) return server
    return this.servers.find((server) => server.up) ?? this.#any()
  }

  async standby(): Promise<ChaosServer> {
    const leader = await this.leader()
    return this.servers.find((server) => server !== leader) ?? leader
  }

  #any(): ChaosServer {
    const [server] = this.servers
    if (!server) throw new Error('no server')
    return server
  }

  /** Undoes every disturbance, and waits until somebody leads. Returns how long that took, ms. */
  async mend(limit = 90_000): Promise<number> {
    const began = performance.now()
    this.proxy?.set('pass')
    this.proxy?.delay(0)
    this.setClock(0)
    for (const server of this.servers) server.thaw()
    await this.database.mend()
    for (const server of this.servers) await server.start()
    while (performance.now() - began < limit) {
      for (const server of this.servers)
        if (server.up && (await server.leads())) return performance.now() - began
      await pause(100)
      for (const server of this.servers) await server.start()
    }
    throw new Error(
      `nobody leads after ${limit} ms:\n${this.servers.map((s) => s.log.slice(-2_000)).join('\n---\n')}`,
    )
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill('SIGTERM')))
    await this.database.remove()
  }
}

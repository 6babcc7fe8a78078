import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventAt } from '@/server/contracts/eventBatch'
import { PostgresJournal } from '@/server/journal/postgres'
import { startEmbeddedPostgres } from '@/server/platform/embeddedPostgres'
import { createStore } from '@/server/store/client'
import { pipelinePosition } from '@/server/store/pipelinePosition'
import { emptyDatabase, freshDatabase, noPostgres, query } from '@/tests/support/database'
import { EmbeddedBench } from '@/tests/support/embedded'
import { silent } from '@/tests/support/pipeline'
import { launchServer, push, startTestServer, type TestServer } from '@/tests/support/server'
import { tcpProxy } from '@/tests/support/tcpProxy'

/** How long an operator, or a supervisor with its usual patience, waits. */
const LIMIT = 10_000
const MIGRATION_LOCK = String(0x746964656d696772n)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

let n = 0
const order = () => {
  const id = `order-${++n}`
  return { eventId: id, orderId: id, amount: '1.00', currency: 'EUR', eventTime: Date.now() }
}

/** Sends until it is told to end; every id that was acknowledged. */
function load(server: TestServer, producers: number) {
  const acknowledged: string[] = []
  let over = false
  const produce = async () => {
    while (!over) {
      const events = Array.from({ length: 20 }, order)
      const answer = await push(server, 'web', events).catch(() => null)
      if (answer?.status === 200) acknowledged.push(...events.map(({ eventId }) => eventId))
      else await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const done = Promise.all(Array.from({ length: producers }, produce))
  return {
    acknowledged,
    end: async () => {
      over = true
      await done
    },
  }
}

/** Ids of all events in the journal, as often as they stand there, and where it ends. */
async function journaled(url: string) {
  const store = createStore(url)
  try {
    const journal = await PostgresJournal.open({
      store,
      logger: silent,
      monotonic: () => performance.now(),
      onFatal: () => {},
    })
    const ids: string[] = []
    let last = 0
    for (;;) {
      const records = await journal.read(last, 200)
      if (records.length === 0) break
      for (const record of records) {
        last = record.position
        if (record.kind !== 'events') continue
        for (let row = 0; row < record.batch.count; row++) ids.push(eventAt(record.batch, row).eventId)
      }
    }
    return { ids, last, committed: await pipelinePosition(store) }
  } finally {
    await store.close()
  }
}

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now()
  return { result: await work, ms: performance.now() - started }
}

async function ownServer() {
  const database = await freshDatabase()
  cleanups.push(() => database.drop())
  const proxy = await tcpProxy(new URL(database.url))
  cleanups.push(() => proxy.close())
  const server = await startTestServer({ database: { url: proxy.url } })
  cleanups.push(() => server.kill())
  return { database, proxy, server }
}

async function lockWindowRows(url: string) {
  const locker = new pg.Client({ connectionString: url })
  await locker.connect()
  cleanups.push(() => locker.end())
  await locker.query('BEGIN; LOCK TABLE window_row IN ACCESS EXCLUSIVE MODE')
}

describe.skipIf(noPostgres)('SIGTERM', () => {
  it('under load: what was acknowledged is there once, all results are written, and the embedded Postgres shuts down', async () => {
    const bench = new EmbeddedBench()
    cleanups.push(() => bench.clear())
    const server = await startTestServer({ database: { dataDir: bench.root } })
    const producers = load(server, 8)
    await vi.waitFor(() => expect(producers.acknowledged.length).toBeGreaterThan(2_000), 20_000)
    const { result: code, ms } = await timed(server.stop())
    await producers.end()
    expect(code).toBe(0)
    expect(ms).toBeLessThan(LIMIT)
    expect(readFileSync(bench.place.log, 'utf8').trimEnd()).toMatch(/database system is shut down$/)

    const { url, stop } = await startEmbeddedPostgres({ projectRoot: process.cwd(), dataDir: bench.root })
    const found = await journaled(url)
    await stop()
    expect(readFileSync(bench.place.log, 'utf8')).not.toContain('automatic recovery')
    expect(new Set(found.ids).size).toBe(found.ids.length)
    const there = new Set(found.ids)
    expect(producers.acknowledged.filter((id) => !there.has(id))).toEqual([])
    expect(found.committed).toBe(found.last)
  })

  it('while the database is away it ends in time; what was not acknowledged was refused', async () => {
    const { proxy, server } = await ownServer()
    const producers = load(server, 4)
    await vi.waitFor(() => expect(producers.acknowledged.length).toBeGreaterThan(100), 20_000)
    proxy.set('refuse')
    const { ms } = await timed(server.stop())
    await producers.end()
    expect(ms).toBeLessThan(LIMIT)
    expect(server.log()).not.toContain('ending without it')
  })

  it('while a flush hangs it ends at the limit, names who hangs, and the next start has what was acknowledged', async () => {
    const { database, server } = await ownServer()
    await lockWindowRows(database.url)
    const event = order()
    expect((await push(server, 'web', [event])).status).toBe(200)
    const { result: code, ms } = await timed(server.stop())
    expect(code).toBe(1)
    expect(ms).toBeLessThan(LIMIT + 1_000)
    expect(server.log()).toContain('engine did not close within')
    expect((await journaled(database.url)).ids).toEqual([event.eventId])
  })

  it('a second one ends at once', async () => {
    const { database, server } = await ownServer()
    await lockWindowRows(database.url)
    expect((await push(server, 'web', [order()])).status).toBe(200)
    const { result: code, ms } = await timed(
      (async () => {
        void server.stop()
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        return server.stop()
      })(),
    )
    expect(code).toBe(130)
    expect(ms).toBeLessThan(2_500)
  })

  it('does not cut off a migration: it ends when that is done, and leaves nothing to resolve', async () => {
    const database = await emptyDatabase()
    cleanups.push(() => database.drop())
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    cleanups.push(() => other.end())
    await other.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const server = await launchServer({ database: { url: database.url } })
    cleanups.push(() => server.end('SIGKILL'))
    const phase = async () => (await (await fetch(`${server.url}/api/health/ready`)).json()).phase
    await vi.waitFor(async () => expect(await phase()).toBe('migrating'), { timeout: 60_000, interval: 50 })
    const ended = server.end('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(server.child.exitCode).toBeNull()
    await other.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
    expect(await ended).toBe(0)
    const rows = await query(
      database.url,
      'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NULL',
    )
    expect(rows).toEqual([])
    expect(await query(database.url, 'SELECT FROM journal')).toEqual([])
  })
})

import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reason } from '@/server/services/health/health'
import { tidemark } from '@/tests/support/cli'
import { freshDatabase, noPostgres, query, type TestDatabase } from '@/tests/support/database'
import { type LaunchedServer, launchServer, push, startTestServer } from '@/tests/support/server'
import { tcpProxy } from '@/tests/support/tcpProxy'

/** Key of the advisory lock under which a server migrates (server/store/migrationLock.ts). */
const MIGRATION_LOCK = String(0x746964656d696772n)

let database: TestDatabase
const cleanups: (() => unknown)[] = []

beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
  await database.drop()
})

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  cleanups.push(() => client.end())
  return client
}

async function launched(): Promise<LaunchedServer> {
  const server = await launchServer({ database: { url: database.url } })
  cleanups.push(() => server.end('SIGKILL'))
  return server
}

interface Health {
  readonly status: number
  readonly phase: string
  readonly reasons: readonly Reason[]
}

async function health(url: string, which: 'live' | 'ready'): Promise<Health> {
  const response = await fetch(`${url}/api/health/${which}`)
  const { phase, reasons } = (await response.json()) as Health
  return { status: response.status, phase, reasons }
}

let n = 0
const order = (over = {}) => ({
  eventId: `e-${++n}`,
  orderId: `o-${n}`,
  amount: '1.00',
  currency: 'EUR',
  eventTime: Date.now(),
  ...over,
})

describe.skipIf(noPostgres)('49. reported healthy while wedged', () => {
  it('a flush that waits for a lock turns ready to 503 within seconds, says since when and why, and back', async () => {
    const server = await startTestServer({ database: { url: database.url } })
    cleanups.push(() => server.stop())
    const locker = await connected()
    await locker.query('BEGIN; LOCK TABLE window_row IN ACCESS EXCLUSIVE MODE')
    const since = Date.now()
    expect((await push(server, 'web', [order()])).status).toBe(200)

    await vi.waitFor(async () => expect((await health(server.url, 'ready')).status).toBe(503), {
      timeout: 10_000,
      interval: 100,
    })
    const { reasons } = await health(server.url, 'ready')
    const [reason] = reasons.filter(({ code }) => code !== 'trouble')
    expect(reason).toMatchObject({
      code: expect.stringMatching(/results_stand_still|database_unheard/),
      says: expect.stringContaining('pg_stat_activity'),
    })
    expect(Math.abs(Date.parse(reason?.since ?? '') - since)).toBeLessThan(3_000)
    expect((await health(server.url, 'live')).status).toBe(200)
    expect((await fetch(server.url)).status).toBe(200)

    await locker.query('ROLLBACK')
    await vi.waitFor(async () => expect((await health(server.url, 'ready')).status).toBe(200), {
      timeout: 10_000,
      interval: 100,
    })
  })
})

describe.skipIf(noPostgres)('50. a queue in memory that grows until it dies', () => {
  it('while the database is away every request is refused with Retry-After, and memory stays flat', async () => {
    const proxy = await tcpProxy(new URL(database.url))
    cleanups.push(() => proxy.close())
    const server = await startTestServer({ database: { url: proxy.url } })
    cleanups.push(() => server.stop())
    const send = async () => {
      const { status, headers } = await fetch(`${server.url}/api/ingest/web`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.key}` },
        body: BULK,
      })
      return `${status} with${headers.get('retry-after') === null ? 'out' : ''} Retry-After`
    }
    // Warm: what parsing and answering take for good is taken.
    for (let i = 0; i < 20; i++) expect(await send()).toBe('200 without Retry-After')
    const before = residentBytes(server.pid)

    // First it only hangs, which is worse than being away: keys are found, nothing is written, and nothing fails.
    const locker = await connected()
    await locker.query('BEGIN; LOCK TABLE journal IN ACCESS EXCLUSIVE MODE')
    const seen = new Set<string>()
    let sent = 0
    let over = false
    const producer = async () => {
      while (!over) {
        sent += BULK.length
        seen.add(await send())
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
    const producers = Array.from({ length: 400 }, producer)
    let most = 0
    for (let i = 0; i < 50; i++) {
      most = Math.max(most, residentBytes(server.pid))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    proxy.set('refuse')
    await locker.query('ROLLBACK')
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    over = true
    await Promise.all(producers)
    expect(most - before).toBeLessThan(500e6)
    expect(sent).toBeGreaterThan(250e6)
    // 429: so many events of one key, before it is asked whether there is room for them.
    const others = [...seen].filter((answer) => answer !== '429 with Retry-After')
    expect(others).toEqual(['503 with Retry-After'])

    proxy.set('pass')
    await vi.waitFor(async () => expect((await push(server, 'web', [order()])).status).toBe(200), 15_000)
  })

  /** About 1 MiB. */
  const BULK = JSON.stringify(Array.from({ length: 4_000 }, () => order({ userId: 'u'.repeat(120) })))

  function residentBytes(pid: number): number {
    const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(found?.[1]) * 1024
  }
})

describe.skipIf(noPostgres)('51. a migration half done, and the app will not start', () => {
  it('the start says what to run, changes nothing, and what it said to run works', async () => {
    const [last] = await query<{ migration_name: string }>(
      database.url,
      `UPDATE _prisma_migrations SET finished_at = NULL, logs = 'cut off'
       WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations) RETURNING migration_name`,
    )
    const name = last?.migration_name ?? ''
    const half = await launched()
    await new Promise((resolve) => half.child.once('exit', resolve))
    expect(half.child.exitCode).toBe(1)
    expect(half.log()).toContain(`the migration ${name} failed in this database at an earlier start`)
    expect(half.log()).toContain(`npm run migrate -- --applied ${name}`)

    const ran = await tidemark(['migrate', '--applied', name], { DATABASE_URL: database.url })
    expect(ran).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' })
    const mended = await launched()
    await vi.waitFor(async () => expect((await health(mended.url, 'ready')).status).toBe(200), {
      timeout: 60_000,
      interval: 100,
    })
  })
})

describe.skipIf(noPostgres)('an upgrade that was undone', () => {
  it('a database that a newer version was on is refused with what to do, and left as it is', async () => {
    await query(
      database.url,
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ('x', 'x', now(), '29990101000000_of_the_future', now(), 1)`,
    )
    const older = await launched()
    await new Promise((resolve) => older.child.once('exit', resolve))
    expect(older.child.exitCode).toBe(1)
    expect(older.log()).toMatch(/newer than this version.*29990101000000_of_the_future/)
    expect(older.log()).toContain('Start the newer version again')
    expect(await query(database.url, 'SELECT FROM journal')).toEqual([])
  })
})

describe.skipIf(noPostgres)('52. the readiness probe kills the migration', () => {
  it('while it migrates it is live, and not ready because it migrates; everything else waits with Retry-After', async () => {
    const other = await connected()
    await other.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const server = await launched()
    await vi.waitFor(async () => expect((await health(server.url, 'ready')).phase).toBe('migrating'), {
      timeout: 60_000,
      interval: 50,
    })
    const ready = await health(server.url, 'ready')
    expect(ready).toMatchObject({ status: 503, reasons: [{ code: 'migrating' }] })
    expect((await health(server.url, 'live')).status).toBe(200)
    for (const path of ['/', '/api/trpc/console.status', '/socket.io/?EIO=4&transport=polling']) {
      const early = await fetch(server.url + path)
      expect([path, early.status, early.headers.get('retry-after')]).toEqual([path, 503, '2'])
    }
    await other.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
    await vi.waitFor(async () => expect((await health(server.url, 'ready')).status).toBe(200), {
      timeout: 60_000,
      interval: 100,
    })
    expect((await fetch(server.url)).status).toBe(200)
  })
})

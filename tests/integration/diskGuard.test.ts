import { randomUUID } from 'node:crypto'
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PipelineStatus } from '@/server/contracts/status'
import { tidemark } from '@/tests/support/cli'
import { freshDatabase, noPostgres, query as sql, type TestDatabase } from '@/tests/support/database'
import { databaseUrl, onServer } from '@/tests/support/globalPostgres'
import { launchServer, push, query, startTestServer, type TestServer } from '@/tests/support/server'
import { noSmallDisk, type SmallDisk, smallDisk } from '@/tests/support/smallDisk'

const WHY_NOT = noSmallDisk()
if (WHY_NOT) console.warn(`\nTests of a full disk are skipped: ${WHY_NOT}\n`)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

let n = 0
const order = (over = {}) => ({
  eventId: `e-${++n}`,
  orderId: `o-${n}`,
  amount: '1.00',
  currency: 'EUR',
  eventTime: Date.now(),
  ...over,
})

const ready = async (server: { readonly url: string }) => {
  const response = await fetch(`${server.url}/api/health/ready`)
  const { reasons } = (await response.json()) as { reasons: { code: string; says: string }[] }
  return { status: response.status, reasons }
}
const soon = { timeout: 30_000, interval: 100 }

/** Every acknowledged order, and none twice, once all is written. */
async function counted(server: TestServer): Promise<number> {
  return vi.waitFor(async () => {
    const { counts, committed, journaled } = await query<PipelineStatus>(server, 'console.status')
    expect(committed).toBe(journaled)
    return counts.inTime + counts.corrected + counts.late
  }, soon)
}

describe.skipIf(noPostgres || WHY_NOT !== null)('a disk that runs full under the embedded Postgres', () => {
  it('producers get 507 before Postgres is out of room, pages go on, and orders are taken again by themselves', async () => {
    const disk = smallDisk(1_000)
    cleanups.push(() => disk.unmount())
    const server = await startTestServer({
      database: { dataDir: join(disk.folder, 'data') },
      env: { TIDEMARK_DISK_STOP: '200MiB' },
    })
    cleanups.push(() => server.stop())
    let acknowledged = 0
    const send = async () => {
      const answer = await push(server, 'web', [order()])
      if (answer.status === 200) acknowledged++
      return answer
    }
    expect((await send()).status).toBe(200)
    const { storage } = await query<PipelineStatus>(server, 'console.status')
    expect(storage).toMatchObject({ diskBytes: 1_000 * 2 ** 20, full: null })
    expect(storage?.tables.map(({ name }) => name)).toContain('journal')
    expect(storage?.databaseBytes).toBeGreaterThan(5_000_000)

    const free = storage?.freeBytes ?? 0
    disk.fill(Math.floor(free / 2 ** 20) - 150)
    const refused = await vi.waitFor(async () => {
      const answer = await send()
      expect(answer.status).toBe(507)
      return answer
    }, soon)
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.body).toMatchObject({
      error: { code: 'disk_full', message: expect.stringMatching(/disk that holds .* left.*Make room/) },
    })
    const viaTrpc = await fetch(`${server.url}/api/trpc/ingest.push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.key}` },
      body: JSON.stringify({ source: 'web', events: [order()] }),
    })
    expect([viaTrpc.status, viaTrpc.headers.get('retry-after')]).toEqual([507, '30'])
    // State goes on to be written, and pages to be read.
    expect(await counted(server)).toBe(acknowledged)
    expect((await fetch(`${server.url}/api/trpc/dashboard.overview`)).status).toBe(200)
    expect(await ready(server)).toMatchObject({ status: 503, reasons: [{ code: 'disk_guard' }] })
    expect((await query<PipelineStatus>(server, 'console.status')).storage?.full?.what).toBe('disk')

    disk.empty()
    await vi.waitFor(async () => expect((await send()).status).toBe(200), soon)
    expect((await ready(server)).status).toBe(200)
    expect(await counted(server)).toBe(acknowledged)
  })

  it('even with no byte left, by somebody else’s doing, nothing acknowledged is lost and all goes on without a restart', async () => {
    const disk = smallDisk(600)
    cleanups.push(() => disk.unmount())
    const server = await startTestServer({
      database: { dataDir: join(disk.folder, 'data') },
      env: { TIDEMARK_DISK_STOP: '1MiB' },
    })
    cleanups.push(() => server.stop())
    const refused: unknown[] = []
    let sent = 0
    const send = async () => {
      const events = Array.from({ length: 200 }, () => order({ userId: randomUUID() }))
      sent += events.length
      const answer = await push(server, 'web', events)
      if (answer.status !== 200) refused.push(events)
      return answer.status
    }
    expect(await send()).toBe(200)
    disk.fillUp()
    const seen = new Set<number>()
    for (let i = 0; i < 40; i++) {
      seen.add(await send())
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect([...seen].filter((status) => ![200, 503, 507].includes(status))).toEqual([])
    expect(seen).toContain(507)

    disk.empty()
    await vi.waitFor(async () => expect(await send()).toBe(200), { timeout: 60_000, interval: 250 })
    for (const events of refused) expect((await push(server, 'web', events)).status).toBe(200)
    expect(await counted(server)).toBe(sent)
    expect((await ready(server)).status).toBe(200)
  })
})

describe.skipIf(noPostgres || WHY_NOT !== null)('a disk that runs full under a Postgres of one’s own', () => {
  let disk: SmallDisk
  let url: string

  /** A database whose tables lie on the small disk; the log of Postgres lies elsewhere, as on many servers. */
  beforeEach(async () => {
    const probe = await freshDatabase()
    const [where] = await sql<{ folder: string }>(
      probe.url,
      `SELECT current_setting('data_directory') AS folder`,
    )
    await probe.drop()
    const owner = statSync(where?.folder ?? '')
    disk = smallDisk(40)
    const folder = join(disk.folder, 'tables')
    mkdirSync(folder)
    chownSync(folder, owner.uid, owner.gid)
    const name = `tidemark_full_${randomUUID().slice(0, 8)}`
    await onServer(
      probe.url.replace(/\/[^/]+$/, '/postgres'),
      `CREATE TABLESPACE ${name} LOCATION '${folder}'`,
    )
    await onServer(
      probe.url.replace(/\/[^/]+$/, '/postgres'),
      `CREATE DATABASE ${name} TEMPLATE template0 TABLESPACE ${name}`,
    )
    url = databaseUrl(probe.url, name)
    cleanups.push(async () => {
      disk.empty()
      const admin = probe.url.replace(/\/[^/]+$/, '/postgres')
      await onServer(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await onServer(admin, `DROP TABLESPACE ${name}`)
      disk.unmount()
    })
  })

  it('its own error is answered with 507 at once; journal and runner survive it, and nothing acknowledged is lost', async () => {
    const server = await startTestServer({ database: { url } })
    cleanups.push(() => server.stop())
    const refusedEvents: unknown[][] = []
    let sent = 0
    // Large, so that new pages of the journal are needed at once.
    const bulk = () =>
      Array.from({ length: 500 }, () => order({ userId: randomUUID(), dimensions: { note: randomUUID() } }))
    const send = async () => {
      const events = bulk()
      const answer = await push(server, 'web', events)
      sent += events.length
      if (answer.status !== 200) refusedEvents.push(events)
      return answer
    }
    expect((await send()).status).toBe(200)
    const { bavail, bsize } = await statfs(disk.folder)
    disk.fill(Math.floor((bavail * bsize) / 2 ** 20))
    const refused = await vi.waitFor(async () => {
      const answer = await send()
      expect(answer.status).toBe(507)
      return answer
    }, soon)
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.body).toMatchObject({
      error: { code: 'disk_full', message: expect.stringMatching(/disk of the database is full/) },
    })
    const { status, reasons } = await ready(server)
    expect(status).toBe(503)
    expect(reasons.map(({ code }) => code)).toContain('disk_guard')

    disk.empty()
    await vi.waitFor(async () => expect((await send()).status).toBe(200), soon)
    await vi.waitFor(async () => expect((await ready(server)).status).toBe(200), soon)
    // Sent again, as Retry-After says: each counts once, whether or not the first try was kept after all.
    for (const events of refusedEvents) expect((await push(server, 'web', events)).status).toBe(200)
    expect(refusedEvents.length).toBeGreaterThan(0)
    expect(await counted(server)).toBe(sent)
    await vi.waitFor(async () => {
      const [rows] = await sql<{ events: string }>(
        url,
        `SELECT sum(events) AS events FROM window_row WHERE view = 'gmv_total_1m'`,
      )
      expect(Number(rows?.events)).toBe(sent)
    }, soon)
  })
})

describe.skipIf(noPostgres)('a database that may have so much', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await freshDatabase()
    cleanups.push(() => database.drop())
  })

  it('takes orders below TIDEMARK_MAX_DATABASE and none above it, and says which setting that is', async () => {
    const below = await startTestServer({ database, env: { TIDEMARK_MAX_DATABASE: '1GiB' } })
    expect((await push(below, 'web', [order()])).status).toBe(200)
    expect((await ready(below)).status).toBe(200)
    await below.stop()

    const above = await launchServer({ database, env: { TIDEMARK_MAX_DATABASE: '1MiB' } })
    cleanups.push(() => above.end('SIGKILL'))
    await vi.waitFor(async () => {
      const { status, reasons } = await ready(above)
      expect([status, reasons.map(({ code }) => code)]).toEqual([503, ['disk_guard']])
    }, soon)
    const answer = await push({ ...below, url: above.url }, 'web', [order()])
    expect(answer).toMatchObject({
      status: 507,
      body: {
        error: { message: expect.stringMatching(/1 MiB that TIDEMARK_MAX_DATABASE allows.*Raise it/) },
      },
    })
  })

  it('is what the doctor says, too', async () => {
    const doctor = (most: string) =>
      tidemark(['doctor'], { DATABASE_URL: database.url, TIDEMARK_MAX_DATABASE: most })
    expect(await doctor('1GiB')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/✓ database size: \d+ MiB of 1\.0 GiB/),
    })
    expect(await doctor('1MiB')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ database size: .*allows 1 MiB: orders are refused\n {2}Raise/),
    })
  })
})

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PipelineStatus } from '@/server/contracts/status'
import { tidemark } from '@/tests/support/cli'
import { freshDatabase, query as sql } from '@/tests/support/database'
import { push, query, settled, startTestServer, type TestServer } from '@/tests/support/server'

const T0 = 1_700_000_000_000

/** A journal record with flipped bits changes no number silently: it stops the engine until somebody decides. */
describe('damaged journal record', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let server: TestServer
  const spec = { idleTimeout: '1h', views: [{ id: 'total', window: { kind: 'tumbling', size: '1m' } }] }
  const order = (n: number) => ({
    eventId: `e-${n}`,
    orderId: `o-${n}`,
    amount: '1.00',
    currency: 'EUR',
    eventTime: T0 + n,
  })
  const start = (untilReady = true) => startTestServer({ database: { url: database.url }, spec, untilReady })
  const status = () => query<PipelineStatus>(server, 'console.status')
  const ready = async () => (await fetch(`${server.url}/api/health/ready`)).status
  const journal = (...args: string[]) => tidemark(['journal', ...args], { DATABASE_URL: database.url })

  beforeAll(async () => {
    database = await freshDatabase()
    server = await start()
  })
  afterAll(async () => {
    await server?.stop()
    await database?.drop()
  })

  it('stops the engine there, says so, and is passed over only when somebody says so', async () => {
    for (const n of [1, 2, 3]) expect((await push(server, 'web', [order(n)])).status).toBe(200)
    await settled(server)
    const [second] = await sql<{ position: string }>(
      database.url,
      'SELECT position FROM journal WHERE event_count = 1 ORDER BY position OFFSET 1 LIMIT 1',
    )
    const position = Number(second?.position)
    await server.kill()
    // The results are as if the server had died before it wrote them, so that it must read the record again.
    await sql(
      database.url,
      'TRUNCATE window_row, revision, pipeline_state, source_state, snapshot, spec_version',
    )
    await sql(
      database.url,
      'UPDATE journal SET body = set_byte(body, length(body) - 9, 255 - get_byte(body, length(body) - 9)) WHERE position = $1',
      [position],
    )

    server = await start(false)
    await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 15_000, interval: 100 })
    await vi.waitFor(async () => {
      const { trouble, committed, counts } = await status()
      expect(trouble).toContain(`journal position ${position} is damaged`)
      expect(committed).toBe(position - 1)
      expect(counts.received).toBe(1)
    })
    expect(server.log()).toContain(`journal position ${position} is damaged`)
    // What comes meanwhile is kept.
    expect((await push(server, 'web', [order(4)])).status).toBe(200)

    const checked = await journal('check')
    expect(checked).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`position ${position} is damaged`),
    })
    const healthy = await journal('skip', String(position - 1), '--reason', 'a try')
    expect(healthy).toMatchObject({ code: 1, stderr: expect.stringContaining('is not damaged') })
    const skipped = await journal('skip', String(position), '--reason', 'disk 3 was bad', '--by', 'ann')
    expect(skipped.code, skipped.stderr).toBe(0)

    await vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: 15_000, interval: 100 })
    await settled(server)
    expect((await status()).counts).toMatchObject({ received: 3, inTime: 3 })
    // Its events are what is missing; sent again they count, and the others do not count twice.
    expect((await push(server, 'web', [1, 2, 3, 4].map(order))).status).toBe(200)
    await settled(server)
    expect((await status()).counts).toMatchObject({ received: 7, inTime: 4, duplicate: 3 })
    const [kept] = await sql(database.url, 'SELECT "by", reason, fault FROM skipped_record')
    expect(kept).toEqual({ by: 'ann', reason: 'disk 3 was bad', fault: 'its checksum does not match' })
    expect(await journal('check')).toMatchObject({ code: 0 })
  })
})

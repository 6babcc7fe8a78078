import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Receipt } from '@/server/contracts/receipt'
import type { PipelineStatus } from '@/server/contracts/status'
import { KIND_NUMBERS } from '@/server/journal/codec'
import { createStore } from '@/server/store/client'
import { freshDatabase } from '@/tests/support/database'
import { push, query, startTestServer, type TestServer } from '@/tests/support/server'
import { tcpProxy } from '@/tests/support/tcpProxy'

/** The database goes away under a running server and comes back (field cases 32, 49, 50). */
describe('database outage', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let proxy: Awaited<ReturnType<typeof tcpProxy>>
  let server: TestServer

  beforeAll(async () => {
    database = await freshDatabase()
    proxy = await tcpProxy(new URL(database.url))
    server = await startTestServer({ database: { url: proxy.url }, spec: { idleTimeout: '10s' } })
  })
  afterAll(async () => {
    await server?.stop()
    await proxy?.close()
    await database?.drop()
  })

  let n = 0
  const order = () => {
    const id = String(++n)
    return { eventId: id, orderId: id, amount: '1.00', currency: 'EUR', eventTime: Date.now() }
  }
  const ready = async () => (await fetch(`${server.url}/api/health/ready`)).status

  it('is 503 with Retry-After and not ready while it lasts; afterwards every acknowledged order counts once', async () => {
    const acknowledged: unknown[] = []
    const first = order()
    expect((await push(server, 'web', [first])).status).toBe(200)
    acknowledged.push(first)
    expect(await ready()).toBe(200)

    proxy.set('refuse')
    // Nobody sends anything: a server that only waits must notice, too.
    await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 15_000, interval: 100 })
    const page = await fetch(`${server.url}/api/trpc/dashboard.overview`)
    expect(page.status).toBe(503)
    expect(JSON.stringify(await page.json())).toContain('database_unavailable')
    const lost = order()
    const refused = await push(server, 'web', [lost])
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.body).toMatchObject({
      error: { code: expect.stringMatching(/^(journal|database)_unavailable$/) },
    })
    const during = await query<PipelineStatus>(server, 'console.status')
    expect(during.trouble).toMatch(/does not take them/)

    proxy.set('pass')
    await vi.waitFor(async () => expect(await ready()).toBe(200), 15_000)
    // Sent again, as Retry-After says: counted once, whether or not the first try was kept.
    expect((await push(server, 'web', [lost])).status).toBe(200)
    await vi.waitFor(async () => {
      const status = await query<PipelineStatus>(server, 'console.status')
      expect(status.counts.inTime).toBe(2)
      expect(status.committed).toBe(status.journaled)
    }, 5_000)
    const store = createStore(database.url)
    const { _sum } = await store.prisma.windowRow.aggregate({
      where: { view: 'gmv_total_day' },
      _sum: { events: true },
    })
    await store.close()
    expect(Number(_sum.events)).toBe(2)
  })

  it('does not count as silence: the first producer that is back turns no other idle (semantics.md §3)', async () => {
    const state = async (name: string) =>
      (await query<PipelineStatus>(server, 'console.status')).sources.find((s) => s.name === name)?.state
    for (const source of ['pos-1', 'pos-2']) expect((await push(server, source, [order()])).status).toBe(200)
    await vi.waitFor(async () => expect(await state('pos-2')).toBe('active'))
    const began = Date.now()
    proxy.set('refuse')
    // Longer than the idle timeout, and than an append is tried.
    await new Promise((resolve) => setTimeout(resolve, 12_000))
    proxy.set('pass')
    const { body } = await vi.waitFor(async () => {
      const back = await push(server, 'pos-1', [order()])
      expect(back.status).toBe(200)
      return back
    }, 15_000)
    const { position } = body as Receipt
    // Results are tried again after 5 s at most, and pos-2 has more than that left of its timeout.
    await vi.waitFor(async () => {
      const { committed } = await query<PipelineStatus>(server, 'console.status')
      expect(committed).toBeGreaterThanOrEqual(position ?? 0)
    }, 8_000)
    expect([await state('pos-1'), await state('pos-2')]).toEqual(['active', 'active'])
    const brackets = await resumedSince(began)
    expect(brackets).toHaveLength(1)
    expect(Number(brackets[0]?.at) - (brackets[0]?.pausedAt ?? 0)).toBeGreaterThan(9_000)
    // Its timer goes on where it stood: silence after the outage counts again.
    await vi.waitFor(async () => expect(await state('pos-2')).toBe('idle'), 15_000)
  })

  async function resumedSince(time: number) {
    const store = createStore(database.url)
    const rows = await store.prisma.journal.findMany({
      where: { kind: KIND_NUMBERS.resumed, at: { gte: time } },
      orderBy: { position: 'asc' },
    })
    await store.close()
    return rows.map(({ at, body }) => ({
      at,
      pausedAt: (JSON.parse(Buffer.from(body).toString()) as { pausedAt: number }).pausedAt,
    }))
  }
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PipelineStatus } from '@/server/contracts/status'
import { freshDatabase, query as sql, type TestDatabase } from '@/tests/support/database'
import { push, query, settled, startTestServer, type TestServer } from '@/tests/support/server'

const T0 = 1_764_500_400_000
const spec = { idleTimeout: '1h', views: [{ id: 'total', window: { kind: 'tumbling', size: '1m' } }] }

let database: TestDatabase
let server: TestServer
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await server?.stop()
  await database?.drop()
})

const orders = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({
    eventId: `e-${from + i}`,
    orderId: `o-${from + i}`,
    userId: `u-${(from + i) % 7}`,
    amount: '1.00',
    currency: 'EUR',
    eventTime: T0 + (from + i) * 100,
  }))

it('a start begins from the last snapshot where the journal before it is gone, knows its ids, and goes on counting', async () => {
  server = await startTestServer({ database: { url: database.url }, spec })
  for (const from of [0, 100, 200])
    expect((await push(server, 'web', orders(from, from + 100))).status).toBe(200)
  await settled(server)
  expect(await server.stop()).toBe(0)
  const [snapshot] = await sql<{ position: string }>(
    database.url,
    'SELECT position FROM snapshot ORDER BY position DESC LIMIT 1',
  )
  const removed = await sql(database.url, `DELETE FROM journal WHERE position < $1 RETURNING position`, [
    snapshot?.position,
  ])
  expect(removed.length).toBeGreaterThan(1)

  server = await startTestServer({ database: { url: database.url } })
  expect((await push(server, 'web', orders(200, 400))).status).toBe(200)
  await settled(server)
  const { counts } = await query<PipelineStatus>(server, 'console.status')
  expect(counts).toMatchObject({ received: 500, inTime: 400, duplicate: 100 })
  const [row] = await sql(
    database.url,
    `SELECT sum(events)::int AS events, sum(orders)::int AS orders, sum(gross)::text AS gross, max(buyers)::int AS buyers FROM window_row`,
  )
  expect(row).toEqual({ events: 400, orders: 400, gross: '400.0000', buyers: 7 })
})

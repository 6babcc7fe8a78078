import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PipelineSpec } from '@/server/contracts/pipelineSpec'
import type { PipelineStatus } from '@/server/contracts/status'
import { createKey } from '@/server/services/keys/createKey'
import { createStore } from '@/server/store/client'
import { freshDatabase, query as sql, type TestDatabase } from '@/tests/support/database'
import { push, query, settled, startTestServer, type TestServer } from '@/tests/support/server'

const MINUTE = 60_000
const T0 = 1_764_500_400_000
const MINUTES = 180
const minutes = { id: 'm', window: { kind: 'tumbling', size: '1m' }, groupBy: ['region'] }
const spec = { allowedLateness: '1m', idleTimeout: '1h', views: [minutes] }

/** A change of views on a running server: filled from the journal, switched to at once (semantics.md §7). */
describe('a change that needs a back-fill', () => {
  let database: TestDatabase
  let server: TestServer
  let operator: string
  let n = 0

  const start = async () => {
    server = await startTestServer({ database: { url: database.url }, spec: n === 0 ? spec : undefined })
  }
  beforeAll(async () => {
    database = await freshDatabase()
    await start()
    const store = createStore(database.url)
    operator = (await createKey(store, { name: 'ann', operator: true })).key
    await store.close()
  })
  afterAll(async () => {
    await server?.stop()
    await database?.drop()
  })

  const order = (minute: number) => {
    n++
    return {
      eventId: `e-${n}`,
      orderId: `o-${n}`,
      amount: '1.50',
      currency: 'EUR',
      eventTime: T0 + minute * MINUTE + (n % 50_000),
      dimensions: { region: n % 2 ? 'east' : 'west' },
    }
  }
  const give = async (command: unknown) => {
    const response = await fetch(`${server.url}/api/trpc/commands.give`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${operator}` },
      body: JSON.stringify({ command, reason: 'the board wants hours' }),
    })
    return (await response.json()) as {
      result?: { data: { position: number; outcome: { refused: string | null } } }
    }
  }
  const inForce = () => query<PipelineSpec>(server, 'commands.spec')
  const eventsOf = (view: string) =>
    sql(
      database.url,
      `SELECT sum(events)::int AS events, sum(gross)::text AS gross, count(DISTINCT version)::int AS versions
       FROM window_row WHERE view = $1`,
      [view],
    )

  it('goes on over a kill -9, and the new view adds up to the old one', async () => {
    for (let minute = 0; minute < MINUTES; minute++) {
      const events = Array.from({ length: 40 }, () => order(minute))
      expect((await push(server, 'web', events)).status).toBe(200)
    }
    await settled(server)
    const before = await inForce()
    const hours = { id: 'h', window: { kind: 'tumbling', size: 60 * MINUTE }, groupBy: ['region'] }
    const given = await give({ kind: 'changeSpec', spec: { ...before, views: [...before.views, hours] } })
    expect(given.result?.data.outcome.refused).toBeNull()
    await server.kill()
    await start()
    await vi.waitFor(async () => expect((await inForce()).views.map(({ id }) => id)).toEqual(['m', 'h']), {
      timeout: 30_000,
      interval: 100,
    })
    expect((await query<PipelineStatus>(server, 'console.status')).backfill).toBeNull()
    expect((await push(server, 'web', [order(MINUTES - 1), order(MINUTES)])).status).toBe(200)
    await settled(server)
    const [old] = await eventsOf('m')
    expect(old).toEqual({ events: n, gross: (n * 1.5).toFixed(4), versions: 1 })
    expect(await eventsOf('h')).toEqual([old])
    // As if they had always been there: the last full hour waits for its lateness, the next has begun.
    const statuses = await sql(
      database.url,
      `SELECT status, count(*)::int AS n FROM window_row WHERE view = 'h' GROUP BY 1 ORDER BY 1`,
    )
    expect(statuses).toEqual([
      { status: 'closed', n: 4 },
      { status: 'fired', n: 2 },
      { status: 'open', n: 1 },
    ])
  })

  it('a switch that a person gives is refused', async () => {
    const answer = await give({ kind: 'switchSpec', change: 3 })
    expect(JSON.stringify(answer)).toContain('is given by Tidemark itself')
  })
})

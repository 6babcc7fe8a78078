import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PipelineStatus } from '@/server/contracts/status'
import { freshDatabase, query as sql, type TestDatabase } from '@/tests/support/database'
import { push, query, settled, startTestServer, type TestServer } from '@/tests/support/server'

const T0 = 1_700_000_000_000
const spec = { idleTimeout: '1h', views: [{ id: 'total', window: { kind: 'tumbling', size: '1m' } }] }

/** Two servers on one database: one leads, the other follows and takes over (design.md §4). */
describe('takeover', () => {
  let database: TestDatabase | null = null
  const servers: TestServer[] = []
  let n = 0

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill()
    await database?.drop()
    database = null
  })

  const order = () => {
    n++
    return { eventId: `e-${n}`, orderId: `o-${n}`, amount: '1.00', currency: 'EUR', eventTime: T0 + n }
  }
  async function start(untilReady: boolean): Promise<TestServer> {
    database ??= await freshDatabase()
    const server = await startTestServer({ database: { url: database.url }, spec, untilReady })
    servers.push(server)
    return server
  }
  const status = (server: TestServer) => query<PipelineStatus>(server, 'console.status')
  const ready = async (server: TestServer) => (await fetch(`${server.url}/api/health/ready`)).status
  /** ms until the server takes an order. */
  async function untilItTakes(server: TestServer, limit: number): Promise<number> {
    const began = performance.now()
    const event = order()
    await vi.waitFor(async () => expect((await push(server, 'web', [event])).status).toBe(200), {
      timeout: limit,
      interval: 50,
    })
    return performance.now() - began
  }
  async function pair() {
    const leader = await start(true)
    const standby = await start(false)
    await vi.waitFor(async () => expect((await status(standby)).standby).toEqual({ leader: leader.url }))
    return { leader, standby }
  }
  const counted = async () => {
    const [row] = await sql<{ n: string }>(database?.url ?? '', 'SELECT sum(events) AS n FROM window_row')
    return Number(row?.n)
  }

  it('a standby reads what the leader committed, takes nothing, and names the leader', async () => {
    const { leader, standby } = await pair()
    expect((await push(leader, 'web', [order(), order()])).status).toBe(200)
    await settled(leader)
    await vi.waitFor(async () => expect((await status(standby)).counts.inTime).toBe(2))
    expect(await ready(standby)).toBe(503)
    const refused = await push(standby, 'web', [order()])
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(JSON.stringify(refused.body)).toContain(leader.url)
    expect(JSON.stringify(refused.body)).toContain('not_leader')
  })

  it.each(['SIGKILL', 'SIGSTOP'] as const)('takes over within 8 s of a %s of the leader', async (signal) => {
    const { leader, standby } = await pair()
    const sent = [order(), order(), order()]
    for (const event of sent) expect((await push(leader, 'web', [event])).status).toBe(200)
    leader.signal(signal)
    const took = await untilItTakes(standby, 8_000)
    expect(took).toBeLessThan(8_000)
    expect((await status(standby)).standby).toBeNull()
    // What was acknowledged by the one is a duplicate for the other.
    expect((await push(standby, 'web', sent)).status).toBe(200)
    await settled(standby)
    expect(await counted()).toBe(4)
    expect((await status(standby)).counts).toMatchObject({ inTime: 4, duplicate: 3 })
  })

  it('a frozen leader that wakes commits nothing and follows the new one', async () => {
    const { leader, standby } = await pair()
    expect((await push(leader, 'web', [order()])).status).toBe(200)
    leader.signal('SIGSTOP')
    await untilItTakes(standby, 8_000)
    await settled(standby)
    // Waiting in the sockets of the frozen one: it comes to read this when it wakes.
    const late = push(leader, 'web', [order()])
    leader.signal('SIGCONT')
    const answer = await late
    expect(answer.status).toBe(503)
    await vi.waitFor(async () => expect((await status(leader)).standby).toEqual({ leader: standby.url }), {
      timeout: 10_000,
    })
    await settled(standby)
    expect(await counted()).toBe(2)
    expect(await ready(standby)).toBe(200)
  })

  it('a leader that is stopped in order hands over at once', async () => {
    const { leader, standby } = await pair()
    expect((await push(leader, 'web', [order()])).status).toBe(200)
    expect(await leader.stop()).toBe(0)
    expect(await untilItTakes(standby, 3_000)).toBeLessThan(3_000)
  })
})

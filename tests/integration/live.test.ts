import { io, type Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultViews } from '@/server/contracts/defaultViews'
import {
  type ClientToServer,
  type Delta,
  LIVE_NAMESPACE,
  type Resync,
  type ServerToClient,
  type Snapshot,
} from '@/server/contracts/liveMessage'
import type { WindowRow } from '@/server/contracts/windowRow'
import { query as ask, freshDatabase } from '@/tests/support/database'
import { push, query, settled, startTestServer, type TestServer } from '@/tests/support/server'

const MINUTE = 60_000
const VIEW = 'gmv_total_1m'
const base = Math.floor(Date.now() / MINUTE) * MINUTE - 5 * MINUTE
const views = [
  ...defaultViews('UTC'),
  { id: 'visits', window: { kind: 'session', gap: '10s' }, groupBy: ['userId'] },
]
let n = 0
const order = (eventTime: number) => {
  const id = String(++n)
  return {
    eventId: id,
    orderId: id,
    amount: '10.00',
    currency: 'EUR',
    eventTime,
    dimensions: { region: n % 2 ? 'east' : 'west' },
  }
}

/** A client that keeps what it is sent, as the page does. */
class Client {
  readonly socket: Socket<ServerToClient, ClientToServer>
  readonly snapshots: Snapshot[] = []
  readonly deltas: Delta[] = []
  readonly resyncs: Resync[] = []
  health = 0
  readonly rows = new Map<string, WindowRow>()

  constructor(url: string) {
    this.socket = io(`${url}${LIVE_NAMESPACE}`, { transports: ['websocket'], forceNew: true })
    this.socket.on('snapshot', (m) => this.#take(m, this.snapshots))
    this.socket.on('delta', (m) => this.#take(m, this.deltas))
    this.socket.on('resync', (m) => this.resyncs.push(m))
    this.socket.on('health', () => this.health++)
  }

  #take<T extends Snapshot | Delta>(message: T, list: T[]): void {
    list.push(message)
    for (const row of message.windows)
      this.rows.set(JSON.stringify([row.windowId, row.currency, row.dims]), row)
  }

  get pos(): number {
    return Math.max(0, ...this.snapshots.map((s) => s.pos), ...this.deltas.map((d) => d.pos))
  }

  async subscribed(message: Parameters<ClientToServer['subscribe']>[0]): Promise<Snapshot> {
    const before = this.snapshots.length
    this.socket.emit('subscribe', message)
    await vi.waitFor(() => expect(this.snapshots.length).toBeGreaterThan(before), 5_000)
    const snapshot = this.snapshots.at(-1)
    if (!snapshot) throw new Error('no snapshot')
    return snapshot
  }
}

describe('live', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let server: TestServer
  const clients: Client[] = []
  const client = () => {
    const one = new Client(server.url)
    clients.push(one)
    return one
  }

  beforeAll(async () => {
    database = await freshDatabase()
    server = await startTestServer({ database, spec: { idleTimeout: null, views } })
  })
  afterEach(() => {
    for (const one of clients.splice(0)) one.socket.disconnect()
  })
  afterAll(async () => {
    await server?.stop()
    await database?.drop()
  })

  const stored = async () => {
    const input = { view: VIEW, from: 0, to: Number.MAX_SAFE_INTEGER }
    return (await query<{ windows: WindowRow[] }>(server, 'dashboard.windows', input)).windows
  }
  const shown = (c: Client) => [...c.rows.values()].map((r) => [r.start, r.gross, r.revision]).sort()
  const inDatabase = async () => (await stored()).map((r) => [r.start, r.gross, r.revision]).sort()

  it('a snapshot, then deltas that follow on from it, until the screen is what a query returns', async () => {
    await push(server, 'web', [order(base)])
    const c = client()
    await c.subscribed({ view: VIEW })
    for (let i = 0; i < 30; i++) {
      await push(server, 'web', [order(base + i * 7_000), order(base + 100 + i)])
    }
    await settled(server)
    await vi.waitFor(async () => expect(shown(c)).toEqual(await inDatabase()), 5_000)
    let pos = c.snapshots[0]?.pos ?? 0
    for (const delta of c.deltas) {
      expect(delta.prev).toBeLessThanOrEqual(pos)
      expect(delta.pos).toBeGreaterThanOrEqual(delta.prev)
      pos = delta.pos
    }
    await vi.waitFor(() => expect(c.health).toBeGreaterThan(1), 3_000)
  })

  it('a client that was away gets what it missed by since, and nothing else (field case 36)', async () => {
    const c = client()
    const all = await c.subscribed({ view: VIEW })
    expect(all.partial).toBe(false)
    // One more change, so that the client's position is past the rows that it holds.
    await push(server, 'web', [order(base + 4 * MINUTE)])
    await vi.waitFor(() => expect(c.deltas.length).toBeGreaterThan(0), 5_000)
    c.socket.disconnect()
    const since = c.pos
    await push(server, 'web', [order(base + 4 * MINUTE), order(base + 4 * MINUTE)])
    await settled(server)
    c.socket.connect()
    const missed = await c.subscribed({ view: VIEW, since })
    expect(missed.partial).toBe(true)
    expect(missed.windows.length).toBeLessThan(all.windows.length)
    await vi.waitFor(async () => expect(shown(c)).toEqual(await inDatabase()), 5_000)
  })

  it('a filter gives the rows of one dimension value only', async () => {
    const c = client()
    await c.subscribed({ view: 'gmv_1m', filter: { region: 'east' } })
    await push(server, 'web', [order(base + 200_000), order(base + 200_000)])
    await vi.waitFor(() => expect(c.deltas.length).toBeGreaterThan(0), 5_000)
    const regions = new Set([...c.rows.values()].map((row) => row.dims[0]))
    expect(regions).toEqual(new Set(['east']))
  })

  it('messages carry no sketches, though the rows are stored with them', async () => {
    const c = client()
    await push(server, 'web', [order(base + 210_000)])
    await c.subscribed({ view: VIEW })
    await push(server, 'web', [order(base + 211_000)])
    await vi.waitFor(() => expect(c.deltas.length).toBeGreaterThan(0), 5_000)
    const fired = [...c.rows.values()].filter((row) => row.status !== 'open')
    expect(fired.length).toBeGreaterThan(0)
    expect([...c.rows.values()].map((row) => row.sketches)).toEqual([...c.rows.values()].map(() => null))
    const sql = `SELECT FROM window_row WHERE view = $1 AND sketch_orders IS NOT NULL`
    expect((await ask(database.url, sql, [VIEW])).length).toBeGreaterThan(0)
  })

  it('a session that is merged into another is taken back on screen, for who looked on and for who was away', async () => {
    const visit = (at: number) => ({ ...order(base + at), userId: 'u-1' })
    const [watching, away] = [client(), client()]
    await push(server, 'web', [visit(220_000), visit(232_000)])
    for (const c of [watching, away]) await c.subscribed({ view: 'visits', filter: { userId: 'u-1' } })
    await vi.waitFor(() => expect(watching.rows.size).toBe(2), 5_000)
    away.socket.disconnect()
    const since = away.pos
    // It touches both.
    await push(server, 'web', [visit(226_000)])
    await settled(server)
    away.socket.connect()
    const missed = await away.subscribed({ view: 'visits', filter: { userId: 'u-1' }, since })
    expect(missed.windows.map((row) => row.status)).toContain('superseded')
    for (const c of [watching, away]) {
      const seen = [...c.rows.values()].filter((row) => row.status !== 'superseded')
      expect(seen).toMatchObject([{ start: base + 220_000, end: base + 242_000, gross: '30.0000' }])
    }
    const fresh = await client().subscribed({ view: 'visits', filter: { userId: 'u-1' } })
    expect(fresh.windows.map((row) => row.gross)).toEqual(['30.0000'])
  })

  it('what cannot be given is a resync with a reason, and the socket lives', async () => {
    const c = client()
    c.socket.emit('subscribe', { view: 'nope' })
    c.socket.emit('subscribe', { view: 7 } as never)
    c.socket.emit('subscribe', { view: VIEW, filter: { colour: 'red' } })
    await vi.waitFor(() => expect(c.resyncs).toHaveLength(3), 5_000)
    expect(c.resyncs.map((r) => r.reason).join()).toMatch(/nope/)
    await c.subscribed({ view: VIEW })
  })

  it('a thousand late orders for one window in a second are few pushes, the last one is sent (field case 40)', async () => {
    await push(server, 'web', [order(base + 2 * MINUTE + 5_000)])
    const c = client()
    await c.subscribed({ view: VIEW })
    await new Promise((resolve) => setTimeout(resolve, 600))
    const before = c.deltas.length
    const started = performance.now()
    for (let i = 0; i < 100; i++) {
      await push(
        server,
        'web',
        Array.from({ length: 10 }, () => order(base + 1)),
      )
    }
    await vi.waitFor(async () => expect(shown(c)).toEqual(await inDatabase()), 5_000)
    const seconds = (performance.now() - started) / 1_000
    expect((c.deltas.length - before) / Math.max(seconds, 1)).toBeLessThanOrEqual(5)
  })

  it('a page of another site opens no socket', async () => {
    const response = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`, {
      headers: { origin: 'http://evil.example' },
    })
    expect(response.status).toBe(403)
    const own = await fetch(`${server.url}/socket.io/?EIO=4&transport=polling`, {
      headers: { origin: server.url },
    })
    expect(own.status).toBe(200)
  })
})

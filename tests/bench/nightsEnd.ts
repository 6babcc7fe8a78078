/**
 * One record that changes 100,000 rows, on a real Postgres and through the real server: how long until it is committed,
 * and how long producers wait meanwhile (design.md §1.4). DATABASE_URL, or the embedded Postgres.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { push, startTestServer, type TestServer } from '../support/server'

const ROWS = 100_000
const AT_ONCE = 5_000
const MINUTE = 60_000
const T0 = 1_764_500_400_000
const PING_EVERY = 25

const spec = {
  idleTimeout: '1h',
  sources: [{ name: 'night' }],
  views: [{ id: 'users', window: { kind: 'tumbling', size: '1m' }, groupBy: ['userId'], maxKeys: 1_000_000 }],
}

const event = (id: string, eventTime: number) => ({
  eventId: id,
  orderId: id,
  userId: id,
  amount: '1.00',
  currency: 'EUR',
  eventTime,
})

async function health(server: TestServer): Promise<{ journaled: number; committed: number }> {
  return (await fetch(`${server.url}/api/health/ready`)).json() as Promise<{
    journaled: number
    committed: number
  }>
}

async function untilCommitted(server: TestServer, position: number): Promise<void> {
  while ((await health(server)).committed < position) await new Promise((r) => setTimeout(r, 20))
}

async function send(server: TestServer, events: unknown[]): Promise<number> {
  const { status, body } = await push(server, 'night', events)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return (body as { position: number }).position
}

async function measure(server: TestServer) {
  let position = 0
  for (let i = 0; i < ROWS; i += AT_ONCE) {
    const events = Array.from({ length: AT_ONCE }, (_, k) => event(`u-${i + k}`, T0 + ((i + k) % MINUTE)))
    position = await send(server, events)
  }
  await untilCommitted(server, position)
  await new Promise((r) => setTimeout(r, 3_000))
  const waits: number[] = []
  let over = false
  const pings = (async () => {
    for (let n = 0; !over; n++) {
      const began = performance.now()
      await send(server, [event(`ping-${n}`, T0 + 2 * MINUTE)])
      waits.push(performance.now() - began)
      await new Promise((r) => setTimeout(r, PING_EVERY))
    }
  })()
  const began = performance.now()
  position = await send(server, [event('dawn', T0 + 2 * MINUTE)])
  await untilCommitted(server, position)
  const took = performance.now() - began
  over = true
  await pings
  waits.sort((a, b) => a - b)
  return {
    took,
    pings: waits.length,
    p99: waits[Math.ceil(waits.length * 0.99) - 1] ?? 0,
    most: waits.at(-1) ?? 0,
  }
}

async function onDatabase(run: (database: { url: string } | { dataDir: string }) => Promise<void>) {
  const admin = process.env.DATABASE_URL
  if (!admin) {
    const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
    return run({ dataDir }).finally(() => rmSync(dataDir, { recursive: true, force: true }))
  }
  const name = `tidemark_bench_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  try {
    await run({ url: url.toString() })
  } finally {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await client.end()
  }
}

await onDatabase(async (database) => {
  const server = await startTestServer({ database, spec })
  try {
    const { took, pings, p99, most } = await measure(server)
    console.log(`${ROWS} rows fired by one record: committed after ${(took / 1000).toFixed(2)} s (target 5)`)
    console.log(
      `meanwhile ${pings} requests: p99 ${p99.toFixed(0)} ms (target 1,000), longest ${most.toFixed(0)} ms`,
    )
  } finally {
    await server.stop()
  }
})

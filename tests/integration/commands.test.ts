import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CommandDone } from '@/server/contracts/flush'
import type { PipelineSpec } from '@/server/contracts/pipelineSpec'
import type { PipelineStatus } from '@/server/contracts/status'
import type { WindowRow } from '@/server/contracts/windowRow'
import { createKey } from '@/server/services/keys/createKey'
import type { Distinct } from '@/server/services/port'
import { revokeApiKey } from '@/server/store/apiKeys'
import { createStore, type Store } from '@/server/store/client'
import { query as ask, freshDatabase } from '@/tests/support/database'
import { push, query, settled, startTestServer, type TestServer } from '@/tests/support/server'

const MINUTE = 60_000
const VIEW = 'gmv_total_1m'
const base = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * MINUTE
let n = 0
const order = (eventTime: number) => {
  const id = String(++n)
  return { eventId: id, orderId: id, userId: `u-${n}`, amount: '10.00', currency: 'EUR', eventTime }
}

interface Answer {
  readonly status: number
  readonly done?: CommandDone
  readonly error?: { readonly message: string; readonly data: { readonly code: string } }
}

describe('commands to the running server', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let server: TestServer
  let store: Store
  let operator: Awaited<ReturnType<typeof createKey>>

  beforeAll(async () => {
    database = await freshDatabase()
    server = await startTestServer({ database, spec: { idleTimeout: null, allowedLateness: '1m' } })
    store = createStore(database.url)
    operator = await createKey(store, { name: 'ann', operator: true })
  })
  afterAll(async () => {
    await store?.close()
    await server?.stop()
    await database?.drop()
  })

  const give = async (command: unknown, reason = '', key: string | null = operator.key): Promise<Answer> => {
    const response = await fetch(`${server.url}/api/trpc/commands.give`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ command, reason }),
    })
    const body = (await response.json()) as { result?: { data: CommandDone }; error?: Answer['error'] }
    return { status: response.status, done: body.result?.data, error: body.error }
  }
  const status = () => query<PipelineStatus>(server, 'console.status')
  const latest = () => query<CommandDone[]>(server, 'commands.latest', {})
  const logged = () => ask(database.url, 'SELECT * FROM command_log ORDER BY position DESC')
  const windows = async () => {
    const input = { view: VIEW, from: base - 60 * MINUTE, to: base + 60 * MINUTE }
    return (await query<{ windows: WindowRow[] }>(server, 'dashboard.windows', input)).windows
  }

  it('a forced watermark makes windows fire; who did it, and why, stands in the audit', async () => {
    await push(server, 'stuck', [order(base)])
    await push(server, 'web', [order(base + 1_000), order(base + 2_000), order(base + 3 * MINUTE)])
    await settled(server)
    expect((await windows()).map((w) => w.status)).toEqual(['open', 'open'])
    const { watermark: before } = await status()
    const to = base + MINUTE - 1
    const { done } = await give({ kind: 'forceWatermark', to }, 'stuck is off')
    expect(done).toMatchObject({
      command: { kind: 'forceWatermark', to },
      order: { by: 'ann', reason: 'stuck is off' },
      outcome: { refused: null, watermarkBefore: before, watermarkAfter: to },
    })
    await settled(server)
    expect((await windows()).map((w) => [w.start - base, w.status, w.gross])).toEqual([
      [0, 'fired', '30.0000'],
      [3 * MINUTE, 'open', '10.0000'],
    ])
    expect((await status()).watermark).toBe(to)
    expect((await latest())[0]).toEqual(done)
    expect(await logged()).toMatchObject([
      {
        position: String(done?.position),
        kind: 'forceWatermark',
        by: 'ann',
        reason: 'stuck is off',
        refused: null,
        watermark_before: String(before),
        watermark_after: String(to),
      },
    ])
  })

  it('a refused one says why, changes nothing, and stands in the audit too', async () => {
    const { watermark } = await status()
    const { status: http, done } = await give({ kind: 'forceWatermark', to: base }, 'a slip')
    expect(http).toBe(200)
    expect(done?.outcome).toMatchObject({ refused: expect.stringMatching(/never goes back/), changes: [] })
    const future = await give({ kind: 'forceWatermark', to: Date.now() + MINUTE })
    expect(future.done?.outcome.refused).toMatch(/present/)
    await settled(server)
    expect((await status()).watermark).toBe(watermark)
    expect(await logged()).toMatchObject([
      { refused: future.done?.outcome.refused },
      { refused: done?.outcome.refused, reason: 'a slip', changes: [] },
      { refused: null },
    ])
  })

  it('a new setting holds at once, is a new version of the definition, and outlives a restart', async () => {
    const { done } = await give({
      kind: 'setStrategy',
      source: 'web',
      strategy: { kind: 'bounded', bound: '20s' },
    })
    expect(done?.outcome.refused).toBeNull()
    const web = async () => (await status()).sources.find((s) => s.name === 'web')
    expect(await web()).toMatchObject({ strategy: 'bounded', bound: 20_000, declared: true })
    await settled(server)
    expect(await ask(database.url, 'SELECT version, position FROM spec_version ORDER BY version')).toEqual([
      { version: 1, position: '1' },
      { version: 2, position: String(done?.position) },
    ])
    await server.stop()
    // The same file as at the first start: it says what the database began with.
    server = await startTestServer({ database, spec: { idleTimeout: null, allowedLateness: '1m' } })
    expect(await web()).toMatchObject({ bound: 20_000, declared: true })
    expect((await logged()).length).toBe(4)
  })

  it('a retired source is shown with its counters, and the others go on without it', async () => {
    await give({ kind: 'retireSource', source: 'stuck' })
    await push(server, 'web', [order(base + 5 * MINUTE)])
    await vi.waitFor(async () => expect((await status()).watermark).toBe(base + 5 * MINUTE - 20_001), 5_000)
    const stuck = (await status()).sources.find((s) => s.name === 'stuck')
    expect(stuck).toMatchObject({ state: 'retired', received: 1, watermark: null })
    await settled(server)
    expect(await ask(database.url, `SELECT state FROM source_state WHERE name = 'stuck'`)).toEqual([
      { state: 'retired' },
    ])
  })

  it('distinct orders over windows that fired are there to ask for', async () => {
    const span = (from: number, to: number) =>
      query<Distinct>(server, 'windows.distinct', { view: VIEW, from: base + from, to: base + to })
    expect(await span(0, 4 * MINUTE)).toMatchObject({
      orders: 4,
      buyers: 4,
      approximate: true,
      windows: 2,
      open: 0,
    })
    expect(await span(0, MINUTE)).toMatchObject({ orders: 3, approximate: false, error: 0 })
    expect(await span(0, 10 * MINUTE)).toMatchObject({ orders: null, open: 1 })
  })

  it('nobody gives one without the right, which the answer says how to get', async () => {
    const command = { kind: 'markIdle', source: 'web' }
    const before = (await logged()).length
    expect(await give(command, '', null)).toMatchObject({
      status: 401,
      error: { data: { code: 'unauthorized' } },
    })
    const ingest = await give(command, '', server.key)
    expect(ingest).toMatchObject({ status: 403, error: { data: { code: 'forbidden' } } })
    expect(ingest.error?.message).toContain('npm run keys -- create NAME --operator')
    await settled(server)
    expect((await logged()).length).toBe(before)
  })

  it('a right that was taken away ends at once', async () => {
    const { id, key } = await createKey(store, { name: 'bob', operator: true })
    const again = { kind: 'forceWatermark', to: base }
    expect((await give(again, '', key)).status).toBe(200)
    await revokeApiKey(store, id, new Date())
    expect((await give(again, '', key)).status).toBeGreaterThanOrEqual(401)
  })

  it('what is no command is refused with the field that is wrong', async () => {
    const answer = await give({ kind: 'forceWatermark', to: 'tomorrow' })
    expect(answer).toMatchObject({ status: 400, error: { message: expect.stringContaining('command.to') } })
  })

  it('the definition in force is given as changeSpec takes it, and one that will disappoint is warned of', async () => {
    const spec = await query<PipelineSpec>(server, 'commands.spec')
    expect(spec.idleTimeout).toBeNull()
    const { warnings } = await status()
    const hasty = await give({ kind: 'changeSpec', spec: { ...spec, idleTimeout: 1_000 } }, 'a try')
    expect(hasty.done?.outcome).toMatchObject({ refused: null })
    expect(await query<PipelineSpec>(server, 'commands.spec')).toEqual({
      ...spec,
      version: spec.version + 1,
      idleTimeout: 1_000,
    })
    expect((await status()).warnings).toMatchObject([
      { path: 'idleTimeout', message: expect.stringMatching(/once a second/) },
    ])
    const back = await give({ kind: 'changeSpec', spec })
    expect(back.done?.outcome).toMatchObject({ refused: null })
    expect((await status()).warnings).toEqual(warnings)
  })
})

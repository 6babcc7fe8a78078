import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { QUARANTINE_CODES, type QuarantineCode } from '@/server/contracts/quarantine'
import type { Receipt } from '@/server/contracts/receipt'
import type { PipelineStatus } from '@/server/contracts/status'
import { freshDatabase } from '@/tests/support/database'
import { push, query, startTestServer, type TestServer } from '@/tests/support/server'

const MINUTE = 60_000
const now = Date.now()
let n = 0
const good = (over: Record<string, unknown> = {}) => ({
  eventId: `e-${++n}`,
  orderId: `o-${n}`,
  amount: '10.00',
  currency: 'EUR',
  eventTime: now,
  ...over,
})

/** For each code an event that earns it, and the source it is sent to. */
const CASES: Record<QuarantineCode, readonly [source: string, event: unknown, says: RegExp]> = {
  missing_field: ['web', good({ orderId: undefined }), /orderId/],
  wrong_type: ['web', good({ userId: 7 }), /userId/],
  amount_invalid: ['web', good({ amount: '1,299' }), /1,299/],
  currency_unknown: ['web', good({ currency: 'RMB' }), /RMB/],
  timestamp_invalid: ['web', good({ eventTime: -5 }), /eventTime/],
  looks_like_seconds: ['web', good({ eventTime: 1764460800 }), /seconds/],
  looks_like_microseconds: ['web', good({ eventTime: 1764460800000000 }), /microseconds/],
  looks_like_nanoseconds: ['web', good({ eventTime: 1764460800000000000 }), /nanoseconds/],
  timezone_missing: ['web', good({ eventTime: '2026-12-01T09:30:00' }), /offset/],
  future_timestamp: ['web', good({ eventTime: now + 33 * 24 * 60 * MINUTE }), /ahead/],
  too_old: ['aged', good({ eventTime: now - 3 * 60 * MINUTE }), /old/],
  too_long: ['web', good({ eventId: 'x'.repeat(129) }), /128/],
  unknown_field: ['strict', good({ colour: 'red' }), /colour/],
}

let server: TestServer
let database: Awaited<ReturnType<typeof freshDatabase>>

beforeAll(async () => {
  database = await freshDatabase()
  const sources = [
    { name: 'strict', strict: true },
    { name: 'aged', maxAge: '1h' },
    { name: 'till', strategy: { kind: 'punctuated' }, idleTimeout: '1s' },
  ]
  server = await startTestServer({ database, spec: { sources } })
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

const status = () => query<PipelineStatus>(server, 'console.status')

describe('the edge of the running server', () => {
  it.each(QUARANTINE_CODES)('%s: the receipt names it, and the event beside it counts', async (code) => {
    const [source, event, says] = CASES[code]
    const before = (await status()).counts
    const { status: http, body } = await push(server, source, [good(), event, good()])
    const receipt = body as Receipt
    expect(http).toBe(200)
    expect(receipt).toMatchObject({ received: 3, accepted: 2, quarantined: [{ index: 1, code }] })
    expect(receipt.quarantined[0]?.message).toMatch(says)
    await vi.waitFor(async () =>
      expect((await status()).committed).toBeGreaterThanOrEqual(receipt.position ?? 0),
    )
    const { counts } = await status()
    expect(counts.quarantined - before.quarantined).toBe(1)
    expect(counts.received - before.received).toBe(3)
    const { rows } = await query<{ rows: { code: string; raw: string }[] }>(server, 'console.quarantine', {
      limit: 1,
    })
    expect(rows[0]?.code).toBe(code)
    expect(JSON.parse(rows[0]?.raw ?? '')).toEqual(JSON.parse(JSON.stringify(event)))
  })

  it('a future timestamp moves no watermark (field case 1)', async () => {
    const before = (await status()).watermark
    await push(server, 'web', [good({ eventTime: now + 200 * MINUTE })])
    const events = Array.from({ length: 10 }, (_, i) => good({ eventTime: now + i }))
    const { body } = await push(server, 'web', events)
    expect(body).toMatchObject({ accepted: 10, quarantined: [] })
    const after = (await status()).watermark
    expect(after ?? 0).toBeLessThan(now + MINUTE)
    expect(after ?? 0).toBeGreaterThanOrEqual(before ?? 0)
  })

  it('the same over tRPC, plain JSON', async () => {
    const response = await fetch(`${server.url}/api/trpc/ingest.push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.key}` },
      body: JSON.stringify({ source: 'web', events: [good(), good({ amount: 'NaN' })] }),
    })
    const { result } = (await response.json()) as { result: { data: Receipt } }
    expect(result.data).toMatchObject({
      received: 2,
      accepted: 1,
      quarantined: [{ index: 1, code: 'amount_invalid' }],
    })
  })

  it('the watermark of a punctuated source follows its marks alone', async () => {
    const watermark = async () => (await status()).sources.find((s) => s.name === 'till')?.watermark
    const events = [good(), { mark: now - 60_000 }, good({ eventTime: now - 60_000 }), { mark: 'soon' }]
    const { body } = await push(server, 'till', events)
    expect(body).toMatchObject({
      received: 3,
      accepted: 2,
      marks: 1,
      quarantined: [{ index: 3, code: 'timestamp_invalid' }],
    })
    await vi.waitFor(async () => expect(await watermark()).toBe(now - 60_001))
    const { counts } = await status()
    expect(counts.received).toBe(
      counts.inTime + counts.corrected + counts.late + counts.duplicate + counts.quarantined,
    )
    const response = await fetch(`${server.url}/api/trpc/ingest.mark`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.key}` },
      body: JSON.stringify({ source: 'till', mark: new Date(now).toISOString() }),
    })
    const { result } = (await response.json()) as { result: { data: Receipt } }
    expect(result.data).toMatchObject({ received: 0, accepted: 0, marks: 1, quarantined: [] })
    await vi.waitFor(async () => expect(await watermark()).toBe(now - 1))
    expect((await status()).counts.received).toBe(counts.received)
  })

  it('a mark of a source that takes none is set aside with its text, and says how to mend it', async () => {
    const { body } = await push(server, 'web', [good(), { mark: now }])
    const receipt = body as Receipt
    expect(receipt).toMatchObject({ received: 2, accepted: 1, marks: 0 })
    expect(receipt.quarantined).toMatchObject([
      { index: 1, code: 'wrong_type', message: expect.stringMatching(/leave them out/) },
    ])
    await vi.waitFor(async () => {
      const { rows } = await query<{ rows: { raw: string }[] }>(server, 'console.quarantine', { limit: 1 })
      expect(rows[0]?.raw).toBe(JSON.stringify({ mark: now }))
    })
  })

  it('money past 2^53 goes in and out exactly (field cases 34, 35)', async () => {
    await push(server, 'big', [good({ amount: '900719925474.0993', currency: 'JPY' })])
    const input = { view: 'gmv_total_day', from: now - 48 * 60 * MINUTE, to: now + 48 * 60 * MINUTE }
    await vi.waitFor(async () => {
      const page = await query<{ windows: { gross: string; currency: string }[] }>(
        server,
        'dashboard.windows',
        input,
      )
      expect(page.windows.filter((w) => w.currency === 'JPY').map((w) => w.gross)).toEqual([
        '900719925474.0993',
      ])
    }, 5_000)
  })
})

describe('requests that fail as a whole store nothing, and the server lives', () => {
  const body = JSON.stringify([good()])
  const packed = gzipSync(JSON.stringify(Array.from({ length: 500 }, () => good())))
  const json = { 'content-type': 'application/json' }
  const cases: readonly [string, number, string, Record<string, string>, string | Uint8Array<ArrayBuffer>][] =
    [
      ['a malformed body', 400, 'malformed_body', json, '[{"eventId":'],
      ['a wrong key', 401, 'unauthorized', { ...json, authorization: `Bearer tm_${'x'.repeat(43)}` }, body],
      ['a body too large', 413, 'body_too_large', json, `["${'x'.repeat(5 * 1024 * 1024)}"]`],
      ['too many events', 413, 'too_many_events', json, JSON.stringify(Array(5_001).fill(1))],
      ['a wrong content type', 415, 'unsupported_media_type', { 'content-type': 'text/plain' }, body],
      [
        'a truncated gzip',
        400,
        'malformed_body',
        { ...json, 'content-encoding': 'gzip' },
        Uint8Array.from(packed.subarray(0, 300)),
      ],
      [
        'a gzip bomb',
        413,
        'body_too_large',
        { ...json, 'content-encoding': 'gzip' },
        Uint8Array.from(gzipSync('['.repeat(50_000_000))),
      ],
    ]

  it.each(cases)('%s: %i %s', async (_, wanted, code, headers, payload) => {
    const before = (await status()).counts.received
    const response = await fetch(`${server.url}/api/ingest/web`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, ...headers },
      body: payload,
    })
    expect(response.status).toBe(wanted)
    const { error } = (await response.json()) as {
      error: { code: string; message: string; requestId: string }
    }
    expect(error).toMatchObject({ code })
    expect(error.message.length).toBeGreaterThan(20)
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect((await push(server, 'web', [good()])).status).toBe(200)
    await vi.waitFor(async () => expect((await status()).counts.received).toBe(before + 1))
  })

  it('nobody gets in under another host name (DNS rebinding)', async () => {
    const { request } = await import('node:http')
    const code = await new Promise((resolve) => {
      request(`${server.url}/api/trpc/console.status`, { headers: { host: 'evil.example' } }, (res) => {
        res.resume()
        resolve(res.statusCode)
      }).end()
    })
    expect(code).toBe(421)
  })
})

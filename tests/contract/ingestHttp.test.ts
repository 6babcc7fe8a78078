import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { eventAt } from '../../server/contracts/eventBatch'
import { toDecimal } from '../../server/contracts/money'
import { Receipt } from '../../server/contracts/receipt'
import { createHttpRoute, type HttpRouteOptions } from '../../server/ingest/httpRoute'
import type { IngestOptions } from '../../server/ingest/ingest'
import { MemoryJournal } from '../../server/journal/memory'
import { AppError } from '../../server/platform/errors'
import { ARRIVAL, ingestWith, inOrder, KEY, order, spec } from '../unit/ingest/fixtures'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function start(over: Partial<IngestOptions> = {}, options: HttpRouteOptions = {}) {
  const { ingest, journal } = ingestWith(over)
  const route = createHttpRoute(ingest, options)
  const server = createServer((req, res) => {
    void route(req, res).then((handled) => handled || res.writeHead(404).end('elsewhere'))
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/ingest/pos-1`
  const send = (body: RequestInit['body'], headers: Record<string, string> = {}, to = url, method = 'POST') =>
    fetch(to, {
      method,
      body,
      headers: { authorization: 'Bearer right', 'content-type': 'application/json', ...headers },
    })
  /** The process lives, nothing of what was refused is stored, and no place is left taken. */
  const stillFine = async () => {
    expect(journal.entries).toHaveLength(0)
    const response = await send(JSON.stringify([order()]))
    expect(response.status).toBe(200)
    const receipt = { received: 1, accepted: 1, marks: 0, quarantined: [], position: 1 }
    expect(await response.json()).toEqual(receipt)
    expect(ingest.health()).toMatchObject({ inFlight: 0, bytesWaiting: 0 })
  }
  return { ingest, journal, port, url, send, stillFine }
}

/** Writes bytes to a socket as they are and returns what comes back until the end, or until `until` matches. */
async function raw(port: number, text: string | Buffer, how: { end?: boolean; until?: RegExp } = {}) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  let failed: unknown = null
  socket.on('error', (error) => {
    failed = error
  })
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (how.until?.test(answer)) resolve()
    })
    socket.on('close', () => resolve())
  })
  socket.write(text)
  if (how.end) socket.end()
  await done
  socket.destroy()
  return { answer, failed }
}

function head(length: number, more = ''): string {
  return (
    'POST /api/ingest/pos-1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\n' +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`
  )
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 50))

async function errorOf(response: Response) {
  const body = (await response.json()) as { error: { code: string; message: string; requestId: string } }
  expect(Object.keys(body)).toEqual(['error'])
  expect(body.error.requestId).toBe(response.headers.get('x-request-id'))
  return { status: response.status, ...body.error }
}

describe('what is taken', () => {
  test('a JSON array, with a receipt for each event set aside', async () => {
    const { send, journal } = await start()
    const response = await send(JSON.stringify([order(), order({ amount: '1,299' })]))
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({
      received: 2,
      accepted: 1,
      quarantined: [{ index: 1, eventId: 'e-1', code: 'amount_invalid' }],
      position: 1,
    })
    expect(journal.entries).toHaveLength(1)
  })

  test('NDJSON, good lines and bad ones', async () => {
    const { send, journal } = await start()
    const body = `${JSON.stringify(order())}\n{oops\n\n${JSON.stringify(order({ eventId: 'e-2' }))}`
    const response = await send(body, { 'content-type': 'application/x-ndjson; charset=utf-8' })
    expect(await response.json()).toMatchObject({
      received: 3,
      accepted: 2,
      quarantined: [{ index: 1, eventId: null, code: 'wrong_type' }],
    })
    const entry = journal.entries[0]
    expect(entry?.kind === 'events' && entry.rejected[0]?.raw).toBe('{oops')
  })

  test('what the receipt counts stands in the journal at its position, exactly', async () => {
    const journal = new MemoryJournal()
    const { send } = await start({ journal })
    await send(JSON.stringify([order()]))
    const amounts = ['900719925474.0993', '0.0001', '19.99']
    const response = await send(
      JSON.stringify(amounts.map((amount, i) => order({ eventId: `m-${i}`, amount }))),
    )
    const receipt = Receipt.parse(await response.json())
    expect(receipt.position).toBe(2)
    const [record] = await journal.read(1, 10)
    if (record?.kind !== 'events') throw new Error('no events')
    const rows = amounts.map((_, i) => eventAt(record.batch, i))
    expect(rows.map(({ amountHi: hi, amountLo: lo }) => toDecimal({ hi, lo }))).toEqual([
      '900719925474.0993',
      '0.0001',
      '19.9900',
    ])
  })

  test('gzip', async () => {
    const { send, ingest } = await start()
    const events = Array.from({ length: 5_000 }, (_, i) => order({ eventId: `e-${i}` }))
    const response = await send(gzipSync(JSON.stringify(events)), { 'content-encoding': 'gzip' })
    expect(await response.json()).toMatchObject({ received: 5_000, accepted: 5_000 })
    expect(ingest.health()).toMatchObject({ requests: 1, events: 5_000, inFlight: 0, bytesWaiting: 0 })
  })

  test.each<[string, (entries: readonly unknown[]) => RequestInit['body'], Record<string, string>]>([
    ['a JSON array', (entries) => JSON.stringify(entries), {}],
    [
      'NDJSON',
      (entries) => entries.map((e) => JSON.stringify(e)).join('\n'),
      { 'content-type': 'application/x-ndjson' },
    ],
    ['gzip', (entries) => gzipSync(JSON.stringify(entries)), { 'content-encoding': 'gzip' }],
  ])('marks of a punctuated source in %s, in order with the events around them', async (_, body, headers) => {
    const pipeline = spec({ strategy: { kind: 'punctuated' } })
    const { send, journal } = await start({ spec: () => pipeline })
    const entries = [{ mark: ARRIVAL - 9_000 }, order(), { mark: ARRIVAL - 1_000 }, { mark: 'soon' }]
    const response = await send(body(entries), headers)
    expect(await response.json()).toMatchObject({
      received: 2,
      accepted: 1,
      marks: 2,
      quarantined: [{ index: 3, eventId: null, code: 'timestamp_invalid' }],
    })
    expect(inOrder(journal.entries[0])).toEqual([ARRIVAL - 9_000, 'e-1', ARRIVAL - 1_000])
  })

  test('the text of a quarantined event is kept as it was sent, number by number', async () => {
    const { send, journal } = await start()
    await send('[{"eventId":"a", "amount": 900719925474.0993}]')
    const entry = journal.entries[0]
    expect(entry?.kind === 'events' && entry.rejected[0]?.raw).toBe(
      '{"eventId":"a", "amount": 900719925474.0993}',
    )
  })

  test('a connection is kept after an error whose body was read', async () => {
    const { port, stillFine } = await start()
    const bad = `${head(3)}[1,`
    const { answer } = await raw(port, bad + bad, { until: /malformed_body[\s\S]*malformed_body/ })
    expect(answer.match(/HTTP\/1.1 400/g)).toHaveLength(2)
    await stillFine()
  })

  test('paths of others are left alone', async () => {
    const { url } = await start()
    expect(await (await fetch(new URL('/api/other', url))).text()).toBe('elsewhere')
  })
})

describe('what is refused, by name, with nothing stored', () => {
  const json = JSON.stringify([order()])
  const big = Buffer.alloc(4 * 1024 * 1024 + 1, ' ')

  test.each<[string, RequestInit['body'], Record<string, string>, number, string]>([
    ['malformed JSON', '[{"a":1},', {}, 400, 'malformed_body'],
    ['an empty body', '', {}, 400, 'malformed_body'],
    ['one object', '{}', {}, 400, 'malformed_body'],
    ['bytes that are not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), {}, 400, 'malformed_body'],
    ['no key', json, { authorization: '' }, 401, 'unauthorized'],
    ['a wrong key', json, { authorization: 'Bearer wrong' }, 401, 'unauthorized'],
    ['a body over 4 MiB', big, {}, 413, 'body_too_large'],
    ['5,001 events', `[${'1,'.repeat(5_000)}1]`, {}, 413, 'too_many_events'],
    ['5,001 lines', '1\n'.repeat(5_001), { 'content-type': 'application/ndjson' }, 413, 'too_many_events'],
    ['plain text', json, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'another charset',
      json,
      { 'content-type': 'application/json; charset=gbk' },
      415,
      'unsupported_media_type',
    ],
    ['another encoding', json, { 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
    ['no gzip at all', json, { 'content-encoding': 'gzip' }, 400, 'malformed_body'],
    ['an empty gzip', '', { 'content-encoding': 'gzip' }, 400, 'malformed_body'],
    [
      'bytes after the gzip',
      Buffer.concat([gzipSync(json), Buffer.from('tail')]),
      { 'content-encoding': 'gzip' },
      400,
      'malformed_body',
    ],
    ['a gzip bomb', gzipSync(Buffer.alloc(300 << 20)), { 'content-encoding': 'gzip' }, 413, 'body_too_large'],
  ])('%s', async (_, body, headers, status, code) => {
    const { send, stillFine } = await start()
    const response = await send(body, headers)
    const error = await errorOf(response)
    expect(error).toMatchObject({ status, code })
    expect(error.message.length).toBeGreaterThan(20)
    expect(response.headers.has('www-authenticate')).toBe(status === 401)
    expect(response.headers.has('retry-after')).toBe(false)
    await stillFine()
  })

  test('limits are named in their errors (field case 48)', async () => {
    const { send } = await start()
    expect((await errorOf(await send(big))).message).toContain('4194304 bytes (4 MiB)')
    expect((await errorOf(await send(`[${'1,'.repeat(5_000)}1]`))).message).toContain('at most 5000')
    const types = await errorOf(await send(json, { 'content-type': 'text/plain' }))
    expect(types.message).toContain('application/json, application/x-ndjson, application/ndjson')
  })

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s', async (method) => {
    const { url, send, stillFine } = await start()
    const response = await send(undefined, {}, url, method)
    expect(await errorOf(response)).toMatchObject({ status: 405, code: 'method_not_allowed' })
    expect(response.headers.get('allow')).toBe('POST')
    await stillFine()
  })

  test.each(['', 'a/b', '%00', '%zz', '-x', 'x'.repeat(65)])('source %j', async (name) => {
    const { url, send, stillFine } = await start()
    const response = await send(json, {}, url.replace('pos-1', name))
    expect(await errorOf(response)).toMatchObject({ status: 400, code: 'bad_request' })
    await stillFine()
  })

  test('a source out of scope', async () => {
    const { send, journal } = await start({ keys: { verify: async () => ({ ...KEY, sources: ['pos-2'] }) } })
    expect(await errorOf(await send(json))).toMatchObject({ status: 403, code: 'forbidden' })
    expect(journal.entries).toHaveLength(0)
  })

  test('too fast', async () => {
    const { send, journal } = await start({ limits: { eventsPerSecond: 1 } })
    expect((await send(json)).status).toBe(200)
    const response = await send(json)
    expect(await errorOf(response)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(response.headers.get('retry-after')).toBe('1')
    expect(journal.entries).toHaveLength(1)
  })

  test('a full house, and a body that does not fit beside the others', async () => {
    const full = await start({ limits: { requestsInFlight: 0 } })
    const response = await full.send(json)
    expect(await errorOf(response)).toMatchObject({ status: 503, code: 'too_many_requests_in_flight' })
    expect(response.headers.get('retry-after')).toBe('1')
    const narrow = await start({ limits: { bytesWaiting: 1_000 } })
    expect((await narrow.send(' '.repeat(1_001))).status).toBe(503)
    expect((await narrow.send(gzipSync(' '.repeat(9_000)), { 'content-encoding': 'gzip' })).status).toBe(503)
    await narrow.stillFine()
  })

  test('a state that is full, before the body is read', async () => {
    const full = { limit: 'maxSources', message: 'There are 3 sources, the most: retire one.' } as const
    const { send, journal, ingest, port } = await start({ capacity: () => full })
    const response = await send(json)
    const error = await errorOf(response)
    expect(error).toMatchObject({ status: 503, code: 'state_full' })
    expect(error.message).toContain(full.message)
    expect(response.headers.get('retry-after')).toBe('10')
    const { answer } = await raw(port, head(1_000), { until: /state_full/ })
    expect(answer).toMatch(/^HTTP\/1.1 503 /)
    expect(journal.entries).toHaveLength(0)
    expect(ingest.health()).toMatchObject({ inFlight: 0, events: 0, refused: { state_full: 2 } })
  })

  test('a journal that takes nothing', async () => {
    const { send, journal, ingest } = await start()
    journal.failure = new AppError('journal_full', 'the journal is full', { retryAfter: 9 })
    const response = await send(json)
    expect(await errorOf(response)).toMatchObject({ status: 503, code: 'journal_full' })
    expect(response.headers.get('retry-after')).toBe('9')
    expect(ingest.health().events).toBe(0)
  })

  test('what is ours to mend leaks nothing, and reaches the log under the id that was shown', async () => {
    const logged: unknown[] = []
    const { send, journal } = await start({}, { onError: (error, id) => logged.push(error, id) })
    journal.failure = new Error('password=hunter2 at 10.0.0.5')
    const error = await errorOf(await send(json))
    expect(error).toMatchObject({ status: 500, code: 'internal' })
    expect(JSON.stringify(error)).not.toContain('hunter2')
    expect(logged).toEqual([journal.failure, error.requestId])
  })
})

describe('a body that does not come whole', () => {
  const body = JSON.stringify([order(), order({ eventId: 'e-2' })])
  const packed = gzipSync(body)

  test('cut at any byte and closed: nothing is stored', async () => {
    const { port, stillFine } = await start()
    const cuts = Array.from({ length: 40 }, (_, i) => Math.floor((i * body.length) / 40))
    await Promise.all(cuts.map((cut) => raw(port, head(body.length) + body.slice(0, cut), { end: true })))
    await settle()
    await stillFine()
  })

  test('a gzip cut at any byte is refused', async () => {
    const { send, stillFine } = await start()
    for (let cut = 0; cut < packed.length; cut += 7) {
      const response = await send(packed.subarray(0, cut), { 'content-encoding': 'gzip' })
      expect(await errorOf(response)).toMatchObject({ status: 400, code: 'malformed_body' })
    }
    await stillFine()
  })

  test('JSON cut at any byte under a right Content-Length is refused', async () => {
    const { send, stillFine } = await start()
    for (let cut = 0; cut < body.length; cut += 17) expect((await send(body.slice(0, cut))).status).toBe(400)
    await stillFine()
  })

  test('aborted in the middle, by reset', async () => {
    const { port, ingest, stillFine } = await start()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(head(1_000) + body.slice(0, 100))
    await settle()
    expect(ingest.health().inFlight).toBe(1)
    socket.resetAndDestroy()
    await settle()
    expect(ingest.health()).toMatchObject({ inFlight: 0, bytesWaiting: 0 })
    await stillFine()
  })

  test('a Content-Length that is too small is a 400, by us or by Node for the rest of it', async () => {
    const { port, stillFine } = await start()
    const { answer } = await raw(port, head(body.length - 5) + body, { end: true })
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    await stillFine()
  })

  test('a Content-Length that is too large runs into the time limit', async () => {
    const { port, stillFine } = await start({}, { bodyTimeout: 100 })
    const { answer } = await raw(port, head(body.length + 5) + body, { until: /request_timeout/ })
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(answer).toMatch(/Connection: close/i)
    await stillFine()
  })

  test('a drip of bytes does not extend the time limit', async () => {
    const { port, stillFine } = await start({}, { bodyTimeout: 150 })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.write(head(10_000))
    const drip = setInterval(() => socket.write(' '), 20)
    await new Promise((resolve) => setTimeout(resolve, 400))
    clearInterval(drip)
    socket.destroy()
    expect(answer).toContain('request_timeout')
    await stillFine()
  })
})

describe('an error while the body is still on its way', () => {
  test.each([
    ['declared', `Content-Length: ${64 << 20}`],
    ['chunked', 'Transfer-Encoding: chunked'],
  ])('reaches a client that goes on sending (%s), and the connection closes', async (_, length) => {
    const { port, stillFine } = await start()
    const request =
      'POST /api/ingest/pos-1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\n' +
      `Content-Type: application/json\r\n${length}\r\n\r\n`
    const chunk = length.startsWith('T')
      ? Buffer.concat([Buffer.from('500000\r\n'), Buffer.alloc(0x500000, ' '), Buffer.from('\r\n')])
      : Buffer.alloc(6 << 20, ' ')
    const { answer, failed } = await raw(port, Buffer.concat([Buffer.from(request), chunk]))
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*body_too_large/)
    expect(failed).toBeNull()
    await stillFine()
  })

  test('is sent on the headers alone where they say enough', async () => {
    const { port } = await start()
    const { answer } = await raw(port, head(64 << 20), { until: /body_too_large/ })
    expect(answer).toContain('has 67108864 bytes')
  })

  test('an unauthorized upload of 4 MB gets its 401, not a reset', async () => {
    const { send, stillFine } = await start()
    const response = await send(Buffer.alloc(4_000_000, ' '), { authorization: 'Bearer wrong' })
    expect(await errorOf(response)).toMatchObject({ status: 401 })
    expect(response.headers.get('connection')).toBe('close')
    await stillFine()
  })
})

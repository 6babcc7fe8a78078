import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandDone } from '@/server/contracts/flush'
import { LIMITS } from '@/server/contracts/limits'
import { AppError } from '@/server/platform/errors'
import type { GiveCommandInput } from '@/server/services/giveCommand'
import type { ReadServices } from '@/server/services/port'
import type { Authorize, Push } from '@/server/trpc/context'
import { createTrpcHandler, type TrpcFailure } from '@/server/trpc/handler'

let failure: unknown = null
const pushes: Push[] = []
const failures: TrpcFailure[] = []
const fail = async () => {
  throw failure
}
const services = { overview: fail, windows: fail } as unknown as ReadServices
const ingest = {
  async push(input: Push) {
    pushes.push(input)
    const { length } = input.events
    return { received: length, accepted: length, marks: 0, quarantined: [], position: 7 }
  },
}
const authorize: Authorize = async (header) => {
  if (header !== 'Bearer right') throw new AppError('unauthorized', 'no key')
  return { id: 'k', name: 'ann' }
}
const given: GiveCommandInput[] = []
const operator = {
  async giveCommand(input: GiveCommandInput) {
    given.push(input)
    return { position: 9 } as CommandDone
  },
  ...{ reinject: fail, writeOff: fail, voidEvents: fail },
}
let server: Server
let base = ''

beforeAll(async () => {
  server = createServer(createTrpcHandler({ services, ingest, operator, authorize }, (f) => failures.push(f)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/trpc`
})
afterAll(() => new Promise((done) => server.close(done)))

async function overview(error: unknown) {
  failure = error
  const answer = await fetch(`${base}/dashboard.overview`)
  const body = (await answer.json()) as {
    error: { message: string; code: number; data: Record<string, unknown> }
  }
  return { answer, text: JSON.stringify(body), ...body.error }
}
const push = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${base}/ingest.push`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
const give = (input: unknown, authorization: string) =>
  fetch(`${base}/commands.give`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify(input),
  })
const errorOf = async (answer: Response) =>
  (
    (await answer.json()) as {
      error: { message: string; data: { code: string; issues: { path: string }[] } }
    }
  ).error

describe('the tRPC edge', () => {
  it.each([
    ['not_found', 404, 'NOT_FOUND'],
    ['unauthorized', 401, 'UNAUTHORIZED'],
    ['request_timeout', 408, 'TIMEOUT'],
    ['too_many_events', 413, 'PAYLOAD_TOO_LARGE'],
    ['rate_limited', 429, 'TOO_MANY_REQUESTS'],
    ['journal_full', 503, 'SERVICE_UNAVAILABLE'],
    ['bad_request', 400, 'BAD_REQUEST'],
  ] as const)(
    '%s answers with its own code, status %i and tRPC code %s',
    async (code, httpStatus, carrier) => {
      const { answer, data, message, code: rpc } = await overview(new AppError(code, 'Said for a person.'))
      expect(answer.status).toBe(httpStatus)
      expect(rpc).toBe(TRPC_ERROR_CODES_BY_KEY[carrier])
      expect(data).toMatchObject({ code, httpStatus })
      expect(message).toBe('Said for a person.')
    },
  )

  it('says when to send again where that can help, and only there', async () => {
    const slow = await overview(new AppError('rate_limited', 'Too fast.', { retryAfter: 9 }))
    expect(slow.answer.headers.get('retry-after')).toBe('9')
    expect(slow.data.retryAfter).toBe(9)
    expect((await overview(new AppError('forbidden', 'No.'))).answer.headers.get('retry-after')).toBeNull()
  })

  it('an unknown error leaks nothing and can be found in the log by its request id', async () => {
    failures.length = 0
    const { answer, data, text } = await overview(new Error('password=hunter2 at 10.0.0.1'))
    expect(answer.status).toBe(500)
    expect(data.code).toBe('internal')
    expect(text).not.toMatch(/hunter2|10\.0\.0\.1|stack|\.ts/)
    expect(answer.headers.get('x-request-id')).toBe(data.requestId)
    expect(failures).toMatchObject([{ requestId: data.requestId, path: 'dashboard.overview' }])
    expect(String(failures[0]?.error.cause)).toContain('hunter2')
  })

  it('passes events on as they came, with the key and the address of the producer', async () => {
    pushes.length = 0
    const answer = await push('{"source":"pos-1","events":[{"amount":"129.90"},"odd",1]}', {
      authorization: 'Bearer k',
    })
    expect(await answer.json()).toMatchObject({ result: { data: { received: 3, accepted: 3, position: 7 } } })
    expect(pushes).toMatchObject([
      {
        source: 'pos-1',
        events: [{ amount: '129.90' }, 'odd', 1],
        authorization: 'Bearer k',
        address: '127.0.0.1',
      },
    ])
  })

  it('a mark by itself goes the way of one in a list, and a call without one names it', async () => {
    pushes.length = 0
    const mark = (body: string) =>
      fetch(`${base}/ingest.mark`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
        body,
      })
    expect((await mark('{"source":"pos-1","mark":1764460800000}')).status).toBe(200)
    expect((await mark('{"source":"pos-1","mark":true}')).status).toBe(200)
    expect(pushes).toMatchObject([
      { source: 'pos-1', events: [{ mark: 1764460800000 }], authorization: 'Bearer k' },
      { source: 'pos-1', events: [{ mark: true }] },
    ])
    const without = await mark('{"source":"pos-1"}')
    expect(without.status).toBe(400)
    expect((await errorOf(without)).data).toMatchObject({ code: 'bad_request', issues: [{ path: 'mark' }] })
    expect(pushes).toHaveLength(2)
  })

  it('a command is passed on with who gave it, checked and with its durations in ms', async () => {
    given.length = 0
    const command = { kind: 'setStrategy', source: 'pos-1', idleTimeout: '2m' }
    const answer = await give({ command, reason: 'slow line' }, 'Bearer right')
    expect(await answer.json()).toEqual({ result: { data: { position: 9 } } })
    const key = { id: 'k', name: 'ann' }
    expect(given).toEqual([{ key, reason: 'slow line', command: { ...command, idleTimeout: 120_000 } }])
  })

  it('a command without a right key, or that is none, is not given', async () => {
    given.length = 0
    const command = { kind: 'markIdle', source: 'pos-1' }
    expect((await give({ command }, 'Bearer wrong')).status).toBe(401)
    const answer = await give({ command: { kind: 'dropEverything' } }, 'Bearer right')
    expect(answer.status).toBe(400)
    expect((await errorOf(answer)).data.issues).toMatchObject([{ path: 'command.kind' }])
    expect(given).toEqual([])
  })

  it('a wrong envelope names the field', async () => {
    const answer = await push('{"source":"pos-1","events":{}}')
    expect(answer.status).toBe(400)
    const error = await errorOf(answer)
    expect(error.message).toContain('events:')
    expect(error.data).toMatchObject({ code: 'bad_request', issues: [{ path: 'events' }] })
  })

  it('a body that is no JSON is malformed, not our fault', async () => {
    const answer = await push('{"source":')
    expect(answer.status).toBe(400)
    expect((await errorOf(answer)).data.code).toBe('malformed_body')
  })

  it('a body over the limit names the limit, and nothing of it is taken', async () => {
    pushes.length = 0
    const answer = await push(`{"source":"pos-1","events":["${'x'.repeat(LIMITS.bodyBytes)}"]}`)
    expect(answer.status).toBe(413)
    const error = await errorOf(answer)
    expect(error.data.code).toBe('body_too_large')
    expect(error.message).toContain('4 MiB (4194304 bytes)')
    expect(pushes).toEqual([])
  })

  it('a range that ends before it begins is refused', async () => {
    const input = encodeURIComponent(JSON.stringify({ view: 'v', from: 2, to: 1 }))
    expect((await fetch(`${base}/dashboard.windows?input=${input}`)).status).toBe(400)
  })

  it('a procedure that does not exist is not found', async () => {
    const answer = await fetch(`${base}/dashboard.nothing`)
    expect(answer.status).toBe(404)
    expect((await errorOf(answer)).data.code).toBe('not_found')
  })
})

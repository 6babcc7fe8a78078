import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandDone } from '../../../server/contracts/flush'
import type { LateFilter } from '../../../server/contracts/lateRow'
import { AppError } from '../../../server/platform/errors'
import type { OperatorServices, ReadServices } from '../../../server/services/port'
import { createTrpcHandler } from '../../../server/trpc/handler'

const asked: [string, unknown][] = []
const told = (name: string) => async (input: unknown) => {
  asked.push([name, input])
  return { position: 9 } as CommandDone
}
const operator: OperatorServices = {
  giveCommand: told('giveCommand'),
  reinject: told('reinject'),
  writeOff: told('writeOff'),
  voidEvents: told('void'),
}
const services = {
  lateList: async (input: LateFilter) => {
    asked.push(['list', input])
    return { total: 0, rows: [], next: null }
  },
} as unknown as ReadServices
const ingest = { push: async () => ({ received: 0, accepted: 0, marks: 0, quarantined: [], position: null }) }
const authorize = async (header: string | undefined) => {
  if (header !== 'Bearer right') throw new AppError('unauthorized', 'no key')
  return { id: 'k', name: 'ann' }
}
let server: Server
let base = ''

beforeAll(async () => {
  server = createServer(createTrpcHandler({ services, ingest, operator, authorize }, () => {}))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/trpc/late`
})
afterAll(() => new Promise((done) => server.close(done)))

async function give(verb: string, body: unknown, key = 'right') {
  asked.length = 0
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const answer = await fetch(`${base}.${verb}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text(), asked: [...asked] }
}

const key = { id: 'k', name: 'ann' }
const events = [{ source: 'pos-1', eventId: 'e-1' }]

describe('the router of the late store', () => {
  it.each(['reinject', 'writeOff'])('%s passes on whose key it was, which events, and why', async (verb) => {
    const { status, asked } = await give(verb, { events, reason: 'a slip' })
    expect(status).toBe(200)
    expect(asked).toEqual([[verb, { key, events, reason: 'a slip' }]])
  })

  it.each([
    ['named events', { events }],
    ['a stretch of time', { source: 'pos-1', from: 0, to: 1_000 }],
    ['journal positions', { positions: { first: 3, last: 9 }, source: 'pos-1' }],
  ])('void takes %s', async (_, selection) => {
    const { asked } = await give('void', { ...selection, reason: 'test orders' })
    expect(asked).toEqual([['void', { key, reason: 'test orders', selection }]])
  })

  it.each(['reinject', 'writeOff', 'void'])('%s without a right key does nothing', async (verb) => {
    expect(await give(verb, { events }, 'wrong')).toMatchObject({ status: 401, asked: [] })
  })

  it('more events than one command holds are refused with what to do', async () => {
    const many = Array.from({ length: 5_001 }, (_, i) => ({ source: 'pos-1', eventId: `e-${i}` }))
    const { status, text, asked } = await give('reinject', { events: many })
    expect(status).toBe(400)
    expect(text).toContain('at most 5000 events a command: do it in several steps')
    expect(asked).toEqual([])
  })

  it('a void of everything at once, or of nothing, is no command', async () => {
    expect((await give('void', {})).status).toBe(400)
    expect((await give('void', { events, source: 'pos-1', from: 0, to: 1 })).status).toBe(400)
  })

  it('the list gives what waits unless other statuses are asked for', async () => {
    asked.length = 0
    const input = encodeURIComponent(JSON.stringify({ statuses: ['voided'], source: 'pos-1', limit: 5 }))
    await fetch(`${base}.list?input=${encodeURIComponent('{}')}`)
    await fetch(`${base}.list?input=${input}`)
    expect(asked.map(([, filter]) => filter)).toEqual([
      { statuses: ['waiting', 'unverified'], limit: 100 },
      { statuses: ['voided'], source: 'pos-1', limit: 5 },
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { eventAt } from '../../../server/contracts/eventBatch'
import type { JournalEntry } from '../../../server/contracts/journalRecord'
import { Receipt } from '../../../server/contracts/receipt'
import { AppError } from '../../../server/platform/errors'
import { ARRIVAL, ingestWith, KEY, order, refusal } from './fixtures'

const sent = { source: 'pos-1', authorization: 'Bearer right', address: '::1' }

describe('a request is journaled as a whole, each event on its own merits', () => {
  test('a bad event never fails its neighbours, and its receipt says why (field case 47)', async () => {
    const { ingest, journal } = ingestWith()
    const events = [order(), order({ eventId: 'bad', amount: '1e3' }), order({ eventId: 'e-2' }), 7]
    const receipt = await ingest.pushValues({ ...sent, events })
    expect(Receipt.parse(receipt)).toEqual(receipt)
    expect(receipt).toMatchObject({ received: 4, accepted: 2, position: 1 })
    expect(receipt.quarantined.map((q) => [q.index, q.eventId, q.code])).toEqual([
      [1, 'bad', 'amount_invalid'],
      [3, null, 'wrong_type'],
    ])
    const entry = journal.entries[0]
    if (entry?.kind !== 'events') throw new Error('no events')
    expect(entry.at).toBe(ARRIVAL)
    expect([0, 1].map((i) => eventAt(entry.batch, i).eventId)).toEqual(['e-1', 'e-2'])
    expect(entry.batch.journalTime).toEqual(Float64Array.of(ARRIVAL, ARRIVAL))
    expect(entry.rejected[0]).toMatchObject({
      index: 1,
      source: 'pos-1',
      raw: JSON.stringify(events[1]),
      cut: false,
    })
  })

  test('an empty request appends nothing', async () => {
    const { ingest, journal } = ingestWith()
    expect(await ingest.pushValues({ ...sent, events: [] })).toEqual({
      received: 0,
      accepted: 0,
      marks: 0,
      quarantined: [],
      position: null,
    })
    expect(journal.entries).toHaveLength(0)
  })

  test('a request of bad events only is kept too', async () => {
    const { ingest, journal } = ingestWith()
    expect(await ingest.pushValues({ ...sent, events: [null] })).toMatchObject({ accepted: 0, position: 1 })
    expect(journal.entries).toHaveLength(1)
  })

  test('raw text over 16 KiB is cut at a character and says so', async () => {
    const { ingest, journal } = ingestWith()
    await ingest.pushValues({ ...sent, events: [order({ note: '中'.repeat(8_000) })] })
    const entry = journal.entries[0]
    const rejected = entry?.kind === 'events' ? entry.rejected[0] : undefined
    expect(rejected).toMatchObject({ code: 'too_long', cut: true })
    const bytes = Buffer.byteLength(rejected?.raw ?? '')
    expect(bytes).toBeGreaterThan(16_384 - 3)
    expect(bytes).toBeLessThanOrEqual(16_384)
    expect(rejected?.raw).not.toContain('\ufffd')
  })

  test('a value nested deeper than the stack is quarantined, not a crash', async () => {
    const { ingest } = ingestWith()
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    const receipt = await ingest.pushValues({ ...sent, events: [order({ note: deep }), order()] })
    expect(receipt).toMatchObject({ accepted: 1, quarantined: [{ code: 'too_long' }] })
  })
})

describe('a request that is refused stores nothing', () => {
  test.each([
    ['no key', { authorization: undefined }, 'unauthorized'],
    ['a wrong key', { authorization: 'Bearer wrong' }, 'unauthorized'],
    ['another scheme', { authorization: 'Basic right' }, 'unauthorized'],
    ['a bad name', { source: 'a b' }, 'bad_request'],
    ['no name', { source: undefined }, 'bad_request'],
    ['too many events', { events: Array.from({ length: 5_001 }, () => 1) }, 'too_many_events'],
  ])('%s', async (_, over, code) => {
    const { ingest, journal } = ingestWith()
    const error = await refusal(ingest.pushValues({ ...sent, events: [order()], ...over }))
    expect(error.code).toBe(code)
    expect(error.message.length).toBeGreaterThan(30)
    expect(journal.entries).toHaveLength(0)
    expect(ingest.health()).toMatchObject({
      requests: 0,
      inFlight: 0,
      bytesWaiting: 0,
      refused: { [code]: 1 },
    })
  })

  test('a source outside of the key scope is forbidden, one inside is not', async () => {
    const keys = { verify: async () => ({ ...KEY, sources: ['pos-2'] }) }
    const { ingest } = ingestWith({ keys })
    const error = await refusal(ingest.pushValues({ ...sent, events: [order()] }))
    expect(error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('pos-2') })
    expect(await ingest.pushValues({ ...sent, source: 'pos-2', events: [order()] })).toMatchObject({
      accepted: 1,
    })
  })

  test('what the journal refuses is passed on, and there is no receipt (field case 32)', async () => {
    const { ingest, journal } = ingestWith()
    journal.failure = new AppError('journal_full', 'full', { retryAfter: 7 })
    const error = await refusal(ingest.pushValues({ ...sent, events: [order()] }))
    expect(error).toMatchObject({ code: 'journal_full', status: 503, retryAfter: 7 })
    expect(ingest.health()).toMatchObject({ events: 0, inFlight: 0, bytesWaiting: 0 })
  })
})

describe('what waits is bounded (field case 50)', () => {
  function stuckJournal() {
    const waiting: (() => void)[] = []
    const entries: JournalEntry[] = []
    const append = (entry: JournalEntry) =>
      new Promise<number>((resolve) => {
        entries.push(entry)
        waiting.push(() => resolve(entries.length))
      })
    return { append, entries, release: () => waiting.splice(0).forEach((go) => void go()) }
  }

  test('requests in flight', async () => {
    const journal = stuckJournal()
    const { ingest } = ingestWith({ journal, limits: { requestsInFlight: 2 } })
    const push = () => ingest.pushValues({ ...sent, events: [order()] })
    const kept = [push(), push()]
    const error = await refusal(push())
    expect(error).toMatchObject({ code: 'too_many_requests_in_flight', status: 503, retryAfter: 1 })
    journal.release()
    await Promise.all(kept)
    expect(journal.entries).toHaveLength(2)
    expect(ingest.health()).toMatchObject({ inFlight: 0, bytesWaiting: 0, accepted: 2 })
  })

  test('bytes', async () => {
    const { ingest, journal } = ingestWith({ limits: { bytesWaiting: 1_000 } })
    const error = await refusal(ingest.pushValues({ ...sent, events: [order()], bytes: 1_001 }))
    expect(error.code).toBe('too_many_requests_in_flight')
    expect(journal.entries).toHaveLength(0)
    expect(await ingest.pushValues({ ...sent, events: [order()], bytes: 1_000 })).toBeTruthy()
  })

  test('the receipt comes after the append, never before', async () => {
    const journal = stuckJournal()
    const { ingest } = ingestWith({ journal })
    let answered = false
    const receipt = ingest.pushValues({ ...sent, events: [order()] }).then(() => {
      answered = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([journal.entries.length, answered]).toEqual([1, false])
    journal.release()
    await receipt
    expect(answered).toBe(true)
  })
})

test('journal times go up with positions, however requests interleave', async () => {
  let now = ARRIVAL
  let slow = 0
  const keys = {
    verify: async () => {
      await new Promise((resolve) => setTimeout(resolve, (slow++ * 7) % 5))
      return KEY
    },
  }
  const { ingest, journal } = ingestWith({ journalClock: () => now++, keys })
  await Promise.all(Array.from({ length: 50 }, () => ingest.pushValues({ ...sent, events: [order()] })))
  const times = journal.entries.map((entry) => entry.at)
  expect(times).toEqual(Array.from({ length: 50 }, (_, i) => ARRIVAL + i))
})

describe('rates', () => {
  test('are counted in events for each key', async () => {
    const keys = { verify: async (key: string) => ({ ...KEY, id: key }) }
    const { ingest, journal } = ingestWith({ keys, limits: { eventsPerSecond: 3 } })
    const push = (count: number, authorization = 'Bearer a') =>
      ingest.pushValues({ ...sent, authorization, events: Array.from({ length: count }, () => order()) })
    await push(2)
    const error = await refusal(push(2))
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 1 })
    await push(1)
    await push(3, 'Bearer b')
    expect((await refusal(push(4, 'Bearer c'))).message).toContain('this request alone')
    expect(journal.entries).toHaveLength(3)
  })

  test('wrong keys shut an address, but not the producers that were right before', async () => {
    let lookups = 0
    const keys = {
      verify: async (key: string) => {
        lookups++
        return key === 'right' ? KEY : null
      },
    }
    const { ingest } = ingestWith({ keys, limits: { wrongKeysPerMinute: 3 } })
    await ingest.authorize('Bearer right', 'a')
    for (let i = 0; i < 3; i++)
      expect((await refusal(ingest.authorize(`Bearer x${i}`, 'a'))).status).toBe(401)
    expect((await refusal(ingest.authorize('Bearer x9', 'a'))).status).toBe(429)
    expect(lookups).toBe(4)
    expect(await ingest.authorize('bearer  right', 'a')).toBe(KEY)
    expect((await refusal(ingest.authorize('Bearer x', 'b'))).status).toBe(401)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Flush } from '@/server/contracts/flush'
import type { LateEvent } from '@/server/contracts/windowRow'
import { newCounts } from '@/server/engine/state'
import { createStore, type Store } from '@/server/store/client'
import { commitFlush } from '@/server/store/commitFlush'
import { freshDatabase, noPostgres, query, type TestDatabase } from '@/tests/support/database'

const event = (position: number, over: Partial<LateEvent> = {}): LateEvent => ({
  ...{
    source: 'web',
    eventId: 'e-1',
    orderId: 'o-1',
    userId: null,
    type: 'order',
    amount: '5.0000',
    currency: 'EUR',
  },
  ...{ eventTime: 100, dimensions: {}, windowStart: 0, windowEnd: 1_000, watermark: 9_000, lateBy: 8_001 },
  ...{ receivedAt: 10_000, position, row: 0, seen: 1 },
  ...over,
})
const occurrence = (position: number, row = 0) => ({ source: 'web', eventId: 'e-1', position, row })

function flushOf(prev: number, position: number, over: Partial<Flush>): Flush {
  const lists = {
    rows: [],
    revisions: [],
    closed: [],
    late: [],
    lateOccurrences: [],
    lateChanges: [],
    outcomes: [],
  }
  const others = { missed: [], quarantined: [], notices: [], commands: [], specs: [], sources: [] }
  return { prev, position, at: 1, watermark: null, ...lists, ...others, counts: newCounts(), ...over }
}

describe.skipIf(noPostgres)('the late store, flush by flush', () => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await freshDatabase()
    store = createStore(database.url)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })
  const rows = () =>
    query(database.url, 'SELECT event_id, status, seen, settled, position::int FROM late_event')
  const twice = async (flush: Flush) => {
    await commitFlush(store, flush)
    // As when the answer to a COMMIT was lost.
    await commitFlush(store, flush)
  }

  it('keeps an id once, at its first place, with how often it came; a flush that is tried again adds nothing', async () => {
    const first = { late: [event(2, { seen: 2 })], lateOccurrences: [occurrence(2), occurrence(2, 1)] }
    await twice(
      flushOf(0, 2, {
        ...first,
        outcomes: [{ position: 2, uncounted: new Uint8Array([3]), corrected: null }],
      }),
    )
    await twice(flushOf(2, 3, { late: [event(3)], lateOccurrences: [occurrence(3)] }))
    expect(await rows()).toEqual([
      { event_id: 'e-1', status: 'unverified', seen: 3, settled: 0, position: 2 },
    ])
    expect(await query(database.url, 'SELECT FROM late_occurrence')).toHaveLength(3)
    expect(
      await query(database.url, `SELECT position::int, encode(uncounted, 'hex') AS bits FROM record_outcome`),
    ).toEqual([{ position: 2, bits: '03' }])
  })

  it('a change is of the row that stands, and is applied once', async () => {
    const change = {
      ...occurrence(2),
      by: 4,
      change: 'reconciled' as const,
      settles: 3,
      conflict: false,
      voided: null,
    }
    await twice(flushOf(3, 4, { lateChanges: [change] }))
    expect(await rows()).toMatchObject([{ status: 'reconciled', seen: 3, settled: 3 }])
  })

  it('a repeat that is confirmed later does not change what the event itself is', async () => {
    await twice(flushOf(4, 5, { late: [event(5)], lateOccurrences: [occurrence(5)] }))
    const change = {
      ...occurrence(2),
      by: 6,
      change: 'duplicate' as const,
      settles: 1,
      conflict: true,
      voided: null,
    }
    await twice(flushOf(5, 6, { lateChanges: [change] }))
    expect(await rows()).toMatchObject([{ status: 'reconciled', seen: 4, settled: 4 }])
  })

  it('a voided event that was never late gets a row of its own', async () => {
    const voided = event(3, { eventId: 'e-2', seen: 0, lateBy: 0, watermark: null })
    const place = { source: 'web', eventId: 'e-2', position: 3, row: 0 }
    await twice(
      flushOf(6, 7, {
        lateChanges: [{ ...place, by: 7, change: 'voided', settles: 0, conflict: false, voided }],
      }),
    )
    expect((await rows())[1]).toEqual({ event_id: 'e-2', status: 'voided', seen: 0, settled: 0, position: 3 })
  })
})

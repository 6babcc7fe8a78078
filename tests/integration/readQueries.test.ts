import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultViews } from '@/server/contracts/defaultViews'
import type { Flush } from '@/server/contracts/flush'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import type { LateEvent, Measures, Revision, WindowRow } from '@/server/contracts/windowRow'
import { newCounts } from '@/server/engine/state'
import { corrections } from '@/server/services/corrections'
import { lateList } from '@/server/services/late/list'
import { overview } from '@/server/services/overview'
import { quarantine } from '@/server/services/quarantine'
import type { ReadDeps } from '@/server/services/readDeps'
import { windows } from '@/server/services/windows'
import { createStore, type Store } from '@/server/store/client'
import { commitFlush } from '@/server/store/commitFlush'
import { freshDatabase, noPostgres, query, type TestDatabase } from '../support/database'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** 2026-11-11 00:00 in Shanghai. */
const DAY = Date.UTC(2026, 10, 10, 16)
const NOW = DAY + 10 * HOUR
const HUGE = '9999999999999999999999999999999999.9999'

const spec = PipelineSpec.parse({ zone: 'Asia/Shanghai', views: defaultViews('Asia/Shanghai') })
const zero: Measures = {
  gross: '0.0000',
  refunds: '0.0000',
  net: '0.0000',
  orders: 0,
  buyers: 0,
  events: 0,
}

function row(over: Partial<WindowRow>): WindowRow {
  const base = {
    view: 'gmv_1m',
    version: 1,
    start: DAY,
    end: DAY + MINUTE,
    windowId: over.start ?? DAY,
    currency: 'CNY',
    dims: ['east', 'web'],
  }
  return {
    ...zero,
    ...base,
    status: 'fired',
    revision: 1,
    byInactivity: false,
    leftOut: [],
    firedAt: DAY + 2 * MINUTE,
    updatedAt: DAY + 2 * MINUTE,
    watermark: DAY + MINUTE,
    pos: 5,
    sketches: null,
    ...over,
  }
}

function revision(over: Partial<Revision>): Revision {
  return {
    view: 'gmv_total_1m',
    version: 1,
    start: DAY,
    end: DAY + MINUTE,
    currency: 'CNY',
    dims: [],
    revision: 1,
    kind: 'on-time',
    before: null,
    after: zero,
    deltaNet: '0.0000',
    eventCount: 1,
    eventIds: ['e1'],
    lateBy: 0,
    watermark: DAY + MINUTE,
    at: NOW,
    pos: 5,
    by: over.kind === 'reconciled' ? 'ann' : null,
    ...over,
    windowId: over.start ?? DAY,
  }
}

const lateEvent = (over: Partial<LateEvent>): LateEvent => ({
  source: 'pos-1',
  eventId: 'l1',
  orderId: 'o1',
  userId: null,
  type: 'order',
  amount: '10.5000',
  currency: 'CNY',
  eventTime: DAY,
  dimensions: { region: 'east' },
  windowStart: DAY,
  windowEnd: DAY + MINUTE,
  watermark: NOW,
  lateBy: 100,
  receivedAt: NOW,
  position: 3,
  row: 0,
  seen: 1,
  ...over,
})

const corrected = revision({
  revision: 2,
  kind: 'correction',
  before: { ...zero, gross: '10.0000', net: '10.0000', orders: 1, events: 1 },
  after: { gross: '12.5000', refunds: '5.0000', net: '7.5000', orders: 2, buyers: 1, events: 3 },
  deltaNet: '-2.5000',
  eventIds: ['e2', 'e3'],
  at: NOW - 10 * MINUTE,
  pos: 4,
})

const rows = {
  east: row({ gross: '129.9000', refunds: '200.0001', net: '-70.1001', orders: 3, buyers: 2, events: 5 }),
  bare: row({ dims: [null, 'web'], pos: 7, leftOut: ['pos-3'], byInactivity: true }),
  dollars: row({ currency: 'USD', gross: HUGE, net: HUGE }),
  next: row({ start: DAY + MINUTE, end: DAY + 2 * MINUTE, status: 'open', revision: 0, firedAt: null }),
  gone: row({ ...zero, windowId: DAY + 1, status: 'superseded', revision: 2 }),
  old: row({ version: 2, gross: '1.0000', net: '1.0000' }),
}

const flush: Flush = {
  prev: 0,
  position: 9,
  at: NOW,
  watermark: DAY + MINUTE,
  rows: [
    ...Object.values(rows),
    row({
      view: 'gmv_total_day',
      dims: [],
      end: DAY + 24 * HOUR,
      gross: '50.0000',
      net: '50.0000',
      orders: 4,
    }),
    row({
      view: 'gmv_total_day',
      dims: [],
      start: DAY - 24 * HOUR,
      end: DAY,
      gross: '99.0000',
      net: '99.0000',
    }),
  ],
  revisions: [
    revision({}),
    // Fired because everybody was silent: early, but no correction.
    revision({
      kind: 'inactivity',
      start: DAY + 3 * MINUTE,
      end: DAY + 4 * MINUTE,
      deltaNet: '9.0000',
      after: { ...zero, gross: '9.0000', net: '9.0000' },
    }),
    corrected,
    revision({ ...corrected, start: DAY + MINUTE, end: DAY + 2 * MINUTE, at: NOW - 5 * MINUTE, pos: 6 }),
    revision({
      kind: 'correction',
      start: DAY + 5 * MINUTE,
      end: DAY + 6 * MINUTE,
      after: { ...zero, gross: '3.0000', net: '3.0000' },
      deltaNet: '3.0000',
      at: NOW - 2 * HOUR,
    }),
    revision({ ...corrected, view: 'gmv_1m', dims: ['east', 'web'] }),
  ],
  closed: [],
  late: [
    lateEvent({}),
    lateEvent({ eventId: 'l2', type: 'refund', amount: '0.5000', receivedAt: NOW + 1, row: 1 }),
    lateEvent({ eventId: 'l3', currency: 'USD', amount: '7.0000', receivedAt: NOW - 1, position: 1 }),
    lateEvent({ eventId: 'l4', receivedAt: NOW + 2 }),
  ],
  quarantined: [
    { ...rejected(0, 'amount_invalid'), receivedAt: NOW },
    { ...rejected(1, 'future_timestamp'), receivedAt: NOW + 1 },
  ],
  lateOccurrences: [],
  lateChanges: [],
  outcomes: [],
  missed: [],
  notices: [],
  commands: [],
  specs: [],
  sources: [],
  counts: newCounts(),
}

function rejected(index: number, code: 'amount_invalid' | 'future_timestamp') {
  const message = 'a message'
  return {
    index,
    code,
    message,
    source: 'pos-1',
    eventId: null,
    field: 'amount',
    raw: '{"a":1}',
    cut: false,
    position: 2,
  }
}

describe.skipIf(noPostgres)('reading', () => {
  let database: TestDatabase
  let store: Store
  let deps: ReadDeps

  beforeAll(async () => {
    database = await freshDatabase()
    store = createStore(database.url)
    deps = { store, spec: () => spec, now: () => NOW }
    await commitFlush(store, flush)
    await query(database.url, `UPDATE late_event SET status = 'waiting'`)
    await query(database.url, `UPDATE late_event SET status = 'written_off' WHERE event_id = 'l4'`)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  const minutes = (over: object = {}) =>
    windows(deps, { view: 'gmv_1m', from: DAY, to: DAY + 2 * MINUTE, ...over })

  it('windows come as they were written, exact, of the version in force, with the position they are of', async () => {
    const page = await minutes()
    expect(page).toMatchObject({ view: 'gmv_1m', pos: 9, watermark: DAY + MINUTE })
    expect(page.windows).toHaveLength(4)
    expect(page.windows).toEqual(expect.arrayContaining([rows.east, rows.bare, rows.dollars, rows.next]))
    expect(page.windows.at(-1)).toEqual(rows.next)
  })

  it('the range is from <= start < to', async () => {
    expect((await minutes({ to: DAY + MINUTE })).windows).not.toContainEqual(rows.next)
    expect((await minutes({ from: DAY + 1 })).windows).toEqual([rows.next])
    const all = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    expect((await minutes(all)).windows).toHaveLength(4)
  })

  it('a filter keeps the rows of a dimension, currency among them', async () => {
    expect((await minutes({ filter: { region: 'east', currency: 'CNY' } })).windows).toEqual([
      rows.east,
      rows.next,
    ])
    expect((await minutes({ filter: { channel: 'app' } })).windows).toEqual([])
    await expect(minutes({ filter: { colour: 'red' } })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('since gives what was written at or after it; nothing still has its position', async () => {
    for (const since of [6, 7]) expect((await minutes({ since })).windows).toEqual([rows.bare])
    expect(await minutes({ since: 8 })).toMatchObject({ pos: 9, windows: [] })
  })

  it('a session that was merged into another is in no answer, but for who asks for it by name', async () => {
    expect((await minutes()).windows.map((w) => w.status)).not.toContain('superseded')
    const all = await minutes({ superseded: true })
    expect(all.windows).toHaveLength(5)
    expect(all.windows).toContainEqual(rows.gone)
  })

  it('an unknown view is named with those that there are', async () => {
    await expect(windows(deps, { view: 'nope', from: 0, to: 1 })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('gmv_total_1m'),
    })
  })

  it('rows and position are of one moment, whatever is committed meanwhile', async () => {
    const own = await freshDatabase()
    const writer = createStore(own.url)
    const reader = { ...deps, store: writer }
    let position = 0
    let stopped = false
    const writing = (async () => {
      while (!stopped) {
        const next = {
          ...flush,
          prev: position,
          position: position + 1,
          revisions: [],
          late: [],
          quarantined: [],
        }
        await commitFlush(writer, { ...next, rows: [{ ...rows.east, pos: position + 1 }] })
        position++
      }
    })()
    // As long as it takes that many flushes came between the reads, on a slow machine too.
    for (let i = 0; i < 100 || (position <= 10 && i < 10_000); i++) {
      const page = await windows(reader, { view: 'gmv_1m', from: DAY, to: DAY + MINUTE })
      expect(page.windows[0]?.pos ?? 0).toBe(page.pos)
    }
    stopped = true
    await writing
    expect(position).toBeGreaterThan(10)
    await writer.close()
    await own.drop()
  })

  it('an empty database is at position 0', async () => {
    const own = await freshDatabase()
    const empty = { ...deps, store: createStore(own.url) }
    expect(await windows(empty, { view: 'gmv_1m', from: 0, to: DAY })).toEqual({
      view: 'gmv_1m',
      pos: 0,
      watermark: null,
      windows: [],
    })
    expect(await overview(empty)).toMatchObject({
      today: [],
      trust: { correctionsLastHour: [], lateWaiting: [] },
    })
    await empty.store.close()
    await own.drop()
  })

  it('corrections are those of the total view, newest first, with before and after', async () => {
    const found = await corrections(deps, { limit: 10 })
    expect(found.map((r) => [r.view, r.start, r.revision])).toEqual([
      ['gmv_total_1m', DAY + MINUTE, 2],
      ['gmv_total_1m', DAY, 2],
      ['gmv_total_1m', DAY + 5 * MINUTE, 1],
    ])
    expect(found[1]).toEqual(corrected)
    expect(found[2]?.before).toBeNull()
    expect(await corrections(deps, { limit: 1 })).toHaveLength(1)
  })

  it('without a total view corrections are those of the base view', async () => {
    const views = spec.views.filter((view) => view.id !== 'gmv_total_1m')
    const found = await corrections({ ...deps, spec: () => ({ ...spec, views }) }, { limit: 10 })
    expect(found).toEqual([{ ...corrected, view: 'gmv_1m', dims: ['east', 'web'] }])
  })

  it('the overview is of the business day, by currency, and sums what is corrected and what waits', async () => {
    expect(await overview(deps)).toEqual({
      now: NOW,
      zone: 'Asia/Shanghai',
      dayStart: DAY,
      dayEnd: DAY + 24 * HOUR,
      today: [{ ...zero, currency: 'CNY', gross: '50.0000', net: '50.0000', orders: 4 }],
      trust: {
        correctionsLastHour: [{ currency: 'CNY', count: 2, amount: '-5.0000' }],
        lateWaiting: [
          { currency: 'CNY', count: 2, amount: '10.0000' },
          { currency: 'USD', count: 1, amount: '7.0000' },
        ],
      },
    })
  })

  it('without a day view of the business zone today is empty, not invented', async () => {
    // The same instants as in Shanghai, and yet another zone's days.
    const elsewhere = { ...spec, zone: 'Asia/Singapore' }
    const found = await overview({ ...deps, spec: () => elsewhere })
    expect(found).toMatchObject({ today: [], dayStart: DAY })
  })

  it('the late store gives what waits, newest first', async () => {
    const found = await lateList(deps, { statuses: ['waiting'], limit: 2 })
    expect(found.total).toBe(3)
    expect(found.rows.map((r) => r.eventId)).toEqual(['l2', 'l1'])
    expect(found.rows[1]).toEqual({ ...lateEvent({}), status: 'waiting', conflict: false })
  })

  it('the quarantine gives what waits, newest first', async () => {
    const found = await quarantine(deps, { limit: 1 })
    expect(found).toEqual({ total: 2, rows: [flush.quarantined[1]] })
  })
})

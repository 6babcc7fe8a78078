import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandDone, Flush } from '@/server/contracts/flush'
import { Sketch } from '@/server/contracts/sketch'
import type { WindowRow } from '@/server/contracts/windowRow'
import { newCounts } from '@/server/engine/state'
import { createStore, type Store } from '@/server/store/client'
import { commitFlush, PositionMoved } from '@/server/store/commitFlush'
import { pipelinePosition } from '@/server/store/pipelinePosition'
import { readCommands } from '@/server/store/readCommands'
import { readNotices } from '@/server/store/readNotices'
import { freshDatabase } from '@/tests/support/database'
import { minuteSpec } from '@/tests/support/pipeline'

const counts = newCounts()

function flushOf(prev: number, position: number, over: Partial<Flush> = {}): Flush {
  return {
    prev,
    position,
    at: position * 1_000,
    watermark: null,
    rows: [],
    revisions: [],
    closed: [],
    late: [],
    lateOccurrences: [],
    lateChanges: [],
    outcomes: [],
    missed: [],
    quarantined: [],
    notices: [],
    commands: [],
    specs: [],
    sources: [],
    counts,
    ...over,
  }
}

const source = (quarantined: number) => ({
  name: 'web',
  ...counts,
  received: quarantined,
  quarantined,
  declared: false,
  state: 'never' as const,
  watermark: null,
  maxEventTime: null,
  lastRecordAt: null,
  strategy: 'bounded' as const,
  bound: 5_000,
  isTest: false,
  resendsHistory: false,
  wouldPause: false,
})

function sessionRow(over: Partial<WindowRow>): WindowRow {
  return {
    view: 'visits',
    version: 1,
    start: 1_000,
    end: 11_000,
    windowId: 1,
    currency: 'EUR',
    dims: ['u-1'],
    gross: '10.0000',
    refunds: '0.0000',
    net: '10.0000',
    orders: 1,
    buyers: 1,
    events: 1,
    status: 'fired',
    revision: 1,
    byInactivity: false,
    leftOut: [],
    firedAt: 12_000,
    updatedAt: 12_000,
    watermark: 11_000,
    pos: 7,
    sketches: null,
    ...over,
  }
}
const nothing = { gross: '0.0000', net: '0.0000', orders: 0, buyers: 0, events: 0 }

const setAside = (position: number, index: number) => ({
  index,
  source: 'web',
  eventId: `e-${position}-${index}`,
  code: 'amount_invalid' as const,
  field: 'amount',
  message: 'no',
  raw: '{}',
  cut: false,
  receivedAt: position * 1_000,
  position,
})

describe('one flush', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let store: Store
  beforeAll(async () => {
    database = await freshDatabase()
    store = createStore(database.url)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  it('moves the position and keeps the definition that came into force', async () => {
    await commitFlush(store, flushOf(0, 3, { specs: [{ spec: minuteSpec, position: 1, at: 1_000 }] }))
    expect(await pipelinePosition(store)).toBe(3)
    expect(await store.prisma.specVersion.findMany()).toEqual([
      { version: 1, spec: JSON.parse(JSON.stringify(minuteSpec)), position: 1n, at: 1_000n },
    ])
  })

  it('given again after a lost COMMIT answer it is written once', async () => {
    const flush = flushOf(3, 4, { quarantined: [setAside(4, 0)], sources: [source(1)] })
    await commitFlush(store, flush)
    await commitFlush(store, flush)
    expect(await store.prisma.quarantine.count()).toBe(1)
    expect(await pipelinePosition(store)).toBe(4)
  })

  it('on a position that another server moved it writes nothing', async () => {
    const flush = flushOf(2, 9, { quarantined: [setAside(9, 0)] })
    await expect(commitFlush(store, flush)).rejects.toBeInstanceOf(PositionMoved)
    expect(await pipelinePosition(store)).toBe(4)
    expect(await store.prisma.quarantine.count()).toBe(1)
  })

  it('counters that do not add up are refused with everything else of the flush', async () => {
    const flush = flushOf(4, 5, { quarantined: [setAside(5, 0)], counts: { ...counts, received: 7 } })
    await expect(commitFlush(store, flush)).rejects.toThrow()
    expect(await pipelinePosition(store)).toBe(4)
    expect(await store.prisma.quarantine.count()).toBe(1)
  })

  it('keeps the newest quarantined events of a source and counts what it writes off', async () => {
    const events = [0, 1, 2, 3, 4].map((index) => setAside(6, index))
    await commitFlush(store, flushOf(4, 6, { quarantined: events, sources: [source(6)] }), {
      mostQuarantined: 3,
    })
    const kept = await store.prisma.quarantine.findMany({ orderBy: [{ position: 'asc' }, { index: 'asc' }] })
    expect(kept.map((q) => q.eventId)).toEqual(['e-6-2', 'e-6-3', 'e-6-4'])
    expect(await store.prisma.sourceState.findFirst()).toMatchObject({
      quarantined: 6n,
      quarantineWrittenOff: 3n,
    })
  })

  it('a row is told by its window, whose start and end may move; a superseded one stays so when it closes', async () => {
    const first = [sessionRow({}), sessionRow({ windowId: 2, start: 20_000, end: 30_000, status: 'open' })]
    await commitFlush(store, flushOf(6, 7, { rows: first }))
    const merged = [
      sessionRow({ ...nothing, status: 'superseded', revision: 2 }),
      sessionRow({ windowId: 2, start: 1_000, end: 40_000, byInactivity: true }),
    ]
    const closed = [1, 2].map((windowId) => ({ view: 'visits', version: 1, windowId }))
    await commitFlush(store, flushOf(7, 8, { rows: merged, closed }))
    expect(await store.prisma.windowRow.findMany({ orderBy: { windowId: 'asc' } })).toMatchObject([
      { windowId: 1n, status: 'superseded', startAt: 1_000n, endAt: 11_000n, events: 0n },
      { windowId: 2n, status: 'closed', startAt: 1_000n, endAt: 40_000n, byInactivity: true },
    ])
  })

  it('a superseded row that still counts something is refused: an order would be on screen twice', async () => {
    const rows = [sessionRow({ windowId: 3, status: 'superseded' })]
    await expect(commitFlush(store, flushOf(8, 9, { rows }))).rejects.toThrow(/window_row_superseded_check/)
    expect(await pipelinePosition(store)).toBe(8)
  })

  it('sketches come back byte for byte, and go when a row has none', async () => {
    const sketch = new Sketch()
    for (let i = 0; i < 2_000; i++) sketch.add(Math.imul(i, 0x9e3779b1), Math.imul(i + 1, 0x85ebca6b))
    const bytes = Buffer.from(sketch.encode())
    const orders = bytes.toString('base64')
    const buyers = Buffer.from(new Sketch().encode()).toString('base64')
    const row = (sketches: WindowRow['sketches']) => sessionRow({ view: 'total', windowId: 1_000, sketches })
    const stored = () => store.prisma.windowRow.findFirst({ where: { view: 'total' } })
    await commitFlush(store, flushOf(8, 9, { rows: [row({ orders, buyers })] }))
    const found = await stored()
    expect(Buffer.from(found?.sketchOrders ?? []).equals(bytes)).toBe(true)
    expect(Array.from(found?.sketchBuyers ?? [])).toEqual([1, 0])
    await commitFlush(store, flushOf(9, 10, { rows: [row(null)] }))
    expect(await stored()).toMatchObject({ sketchOrders: null, sketchBuyers: null })
  })

  it('keeps what the engine noticed, what it was told, and what came too late for some windows', async () => {
    const order = { by: 'ann', reason: 'till 2 is off' }
    const command = { kind: 'markIdle', source: 'web' } as const
    const done = (position: number, refused: string | null): CommandDone => ({
      position,
      at: position * 1_000,
      command,
      order,
      outcome: {
        kind: 'markIdle',
        refused,
        changes: refused === null ? ['source web marked idle'] : [],
        watermarkBefore: null,
        watermarkAfter: 5,
      },
    })
    const notice = (position: number, subject: string) =>
      ({ kind: 'keys_over_cap', subject, at: position, position }) as const
    const missed = {
      source: 'web',
      eventId: 'e-1',
      view: 'sliding',
      eventTime: 5_000,
      windows: 2,
      firstStart: 0,
      lastEnd: 7_000,
      watermark: 9_000,
      receivedAt: 12_000,
      position: 12,
      row: 3,
    }
    await commitFlush(
      store,
      flushOf(10, 12, {
        commands: [done(11, null), done(12, 'web is idle already')],
        notices: [notice(11, 'a'), notice(12, 'b'), notice(12, 'c')],
        missed: [missed],
      }),
    )
    expect(await readCommands(store, 10)).toEqual([done(12, 'web is idle already'), done(11, null)])
    expect(await readNotices(store, 2)).toEqual([notice(12, 'c'), notice(12, 'b')])
    const bigs = {
      position: 12n,
      eventTime: 5_000n,
      firstStart: 0n,
      lastEnd: 7_000n,
      watermark: 9_000n,
      receivedAt: 12_000n,
    }
    expect(await store.prisma.missedWindow.findMany()).toEqual([{ ...missed, ...bigs }])
  })

  it('a source is kept with its strategy, what it has learned and what was noticed about it', async () => {
    const over = {
      strategy: 'adaptive',
      bound: 7_500,
      isTest: true,
      resendsHistory: true,
      wouldPause: true,
    } as const
    const known = { ...source(6), ...over, test: 4, state: 'retired' as const }
    await commitFlush(store, flushOf(12, 13, { sources: [known], counts: { ...counts, test: 4 } }))
    expect(await store.prisma.sourceState.findFirst()).toMatchObject({
      ...over,
      bound: 7_500n,
      test: 4n,
      state: 'retired',
    })
    expect(await store.prisma.pipelineState.findFirst()).toMatchObject({ test: 4n, overflow: 0n })
  })

  it('more events folded into __other__ than were counted cannot be', async () => {
    const flush = flushOf(13, 14, { counts: { ...counts, overflow: 1 } })
    await expect(commitFlush(store, flush)).rejects.toThrow(/overflow_check/)
  })
})

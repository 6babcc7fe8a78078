import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Flush } from '@/server/contracts/flush'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { SKETCH_ERROR, Sketch } from '@/server/contracts/sketch'
import type { WindowRow } from '@/server/contracts/windowRow'
import { newCounts } from '@/server/engine/state'
import { distinct } from '@/server/services/distinct'
import type { ReadDeps } from '@/server/services/readDeps'
import { MOST_ROWS } from '@/server/services/windowsWhere'
import { createStore, type Store } from '@/server/store/client'
import { commitFlush } from '@/server/store/commitFlush'
import { freshDatabase, noPostgres, query, type TestDatabase } from '../support/database'

const MINUTE = 60_000
const spec = PipelineSpec.parse({
  views: [
    { id: 'minutes', window: { kind: 'tumbling', size: '1m' }, groupBy: ['region'] },
    { id: 'many', window: { kind: 'tumbling', size: '1m' } },
  ],
})

/** Ids `from … to - 1` as a row counts them: hashes of independent bits, the same for the same id. */
function sketchOf(from: number, to: number): Sketch {
  const sketch = new Sketch()
  for (let id = from; id < to; id++) sketch.add(mixed(id), mixed(id ^ 0x5bd1e995))
  return sketch
}
function mixed(id: number): number {
  let x = Math.imul(id ^ (id >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return x ^ (x >>> 16)
}
const base64 = (sketch: Sketch) => Buffer.from(sketch.encode()).toString('base64')

/** A fired row with the orders of the ids `from … to - 1`, and half of them as buyers. */
function row(
  minute: number,
  region: string,
  from: number,
  to: number,
  over: Partial<WindowRow> = {},
): WindowRow {
  const half = from + Math.floor((to - from) / 2)
  return {
    view: 'minutes',
    version: 1,
    start: minute * MINUTE,
    end: (minute + 1) * MINUTE,
    windowId: minute * MINUTE,
    currency: 'EUR',
    dims: [region],
    gross: '1.0000',
    refunds: '0.0000',
    net: '1.0000',
    orders: to - from,
    buyers: half - from,
    events: to - from,
    status: 'fired',
    revision: 1,
    byInactivity: false,
    leftOut: [],
    firedAt: 1,
    updatedAt: 1,
    watermark: 1,
    pos: 1,
    sketches: { orders: base64(sketchOf(from, to)), buyers: base64(sketchOf(from, half)) },
    ...over,
  }
}

const rows = [
  row(1, 'east', 0, 3_000),
  row(1, 'west', 2_000, 4_000),
  row(2, 'east', 1_000, 5_000, { status: 'closed' }),
  row(3, 'east', 0, 50_000),
  row(3, 'west', 0, 9, {
    windowId: 7,
    status: 'superseded',
    orders: 0,
    buyers: 0,
    events: 0,
    gross: '0',
    sketches: null,
  }),
  row(4, 'east', 0, 10, { sketches: null }),
  row(5, 'east', 0, 10, { status: 'open', sketches: null }),
]

const flush: Flush = {
  prev: 0,
  position: 1,
  at: 1,
  watermark: 1,
  rows,
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
  counts: newCounts(),
}

describe.skipIf(noPostgres)('distinct orders and buyers of a span', () => {
  let database: TestDatabase
  let store: Store
  let deps: ReadDeps

  beforeAll(async () => {
    database = await freshDatabase()
    store = createStore(database.url)
    deps = { store, spec: () => spec, now: () => 0 }
    await commitFlush(store, flush)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  const of = (from: number, to: number, filter?: Record<string, string>) =>
    distinct(deps, { view: 'minutes', from: from * MINUTE, to: to * MINUTE, filter })

  it('are those of the union, not the sum of its rows, and say how far they may be off', async () => {
    const found = await of(1, 3)
    // 0 … 4,999 in three rows that share ids; buyers 0 … 2,999 of theirs. The sum would be 9,000.
    expect(found).toMatchObject({
      view: 'minutes',
      approximate: true,
      error: SKETCH_ERROR,
      windows: 2,
      open: 0,
    })
    expect(Math.abs((found.orders ?? 0) / 5_000 - 1)).toBeLessThan(4 * SKETCH_ERROR)
    expect(Math.abs((found.buyers ?? 0) / 3_000 - 1)).toBeLessThan(4 * SKETCH_ERROR)
    const union = sketchOf(0, 5_000)
    expect(found.orders).toBe(union.estimate())
  })

  it('of one row are its own, exact', async () => {
    const one = { orders: 50_000, buyers: 25_000, approximate: false, error: 0, windows: 1, open: 0 }
    expect(await of(3, 4)).toEqual({ view: 'minutes', ...one })
    expect(await of(1, 2, { region: 'west' })).toMatchObject({
      orders: 2_000,
      buyers: 1_000,
      approximate: false,
    })
    expect(await of(4, 5)).toMatchObject({ orders: 10, approximate: false })
  })

  it('of nothing are none', async () => {
    expect(await of(10, 20)).toMatchObject({ orders: 0, buyers: 0, approximate: false, windows: 0 })
  })

  it('a filter keeps to the rows of a dimension', async () => {
    expect(await of(1, 3, { region: 'east', currency: 'EUR' })).toMatchObject({
      orders: sketchOf(0, 5_000).estimate(),
      windows: 2,
    })
    expect(await of(1, 3, { currency: 'USD' })).toMatchObject({ orders: 0, windows: 0 })
    await expect(of(1, 3, { colour: 'red' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('are not available where a window is open or a row has no sketch, rather than wrong', async () => {
    const none = { orders: null, buyers: null, error: null, approximate: false }
    expect(await of(1, 6)).toMatchObject({ ...none, windows: 5, open: 1 })
    expect(await of(5, 6)).toMatchObject({ ...none, windows: 1, open: 1 })
    expect(await of(3, 5)).toMatchObject({ ...none, windows: 2, open: 0 })
  })

  it('more rows than are read at once are all merged, those where one reading ends and the next begins too', async () => {
    const borders = [999, 1_000, 1_999, 2_000]
    const idsOf = (i: number): [number, number] =>
      borders.includes(i) ? [i * 10_000, i * 10_000 + 3_000] : [0, 10]
    const many = Array.from({ length: 2_500 }, (_, i) => row(i, '', ...idsOf(i), { view: 'many', dims: [] }))
    await commitFlush(store, { ...flush, prev: 1, position: 2, rows: many })
    const union = sketchOf(0, 10)
    for (const i of borders) union.merge(sketchOf(...idsOf(i)))
    const found = await distinct(deps, { view: 'many', from: 0, to: Number.POSITIVE_INFINITY })
    expect(found).toMatchObject({ windows: 2_500, orders: union.estimate() })
  })

  it('a range of too many rows is refused, and says what to do', async () => {
    await query(
      database.url,
      `INSERT INTO window_row (view, version, window_id, start_at, end_at, key, currency, dims, status, gross, refunds, orders,
         buyers, events, revision, left_out, updated_at, pos)
       SELECT 'many', 1, -i, -i, -i + 1, '["EUR"]', 'EUR', '[]', 'fired', 1, 0, 1, 1, 1, 1, '{}', 1, 1
       FROM generate_series(1, $1::int) i`,
      [MOST_ROWS + 1],
    )
    const whole = distinct(deps, { view: 'many', from: Number.NEGATIVE_INFINITY, to: 0 })
    await expect(whole).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('shorter range'),
    })
  })

  it('an unknown view is named with those that there are', async () => {
    await expect(distinct(deps, { view: 'nope', from: 0, to: 1 })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

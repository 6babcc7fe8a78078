import { describe, expect, test } from 'vitest'
import { type Ev, Run, type SpecInput, tumbling } from '../../../support/engine'

const views: SpecInput['views'] = [{ id: 's', window: { kind: 'session', gap: 10 }, groupBy: ['k'] }]
const begun = (over: SpecInput = {}) =>
  new Run({ views, strategy: { kind: 'bounded', bound: 0 }, allowedLateness: 1000, ...over })
const patient = (over: SpecInput = {}) => begun({ strategy: { kind: 'bounded', bound: 500 }, ...over })
const x = (ts: number, over: Partial<Ev> = {}): Ev => ({ ts, dims: { k: 'x' }, ...over })
/** Another key, whose events move the watermark. */
const y = (ts: number): Ev => ({ ts, dims: { k: 'y' } })
const KEY = '["USD","x"]'
const session = (run: Run, number: number) => run.row('s', number, KEY)
const ofX = (run: Run) =>
  [...run.rows.values()]
    .filter((row) => row.key === KEY)
    .map((row) => [row.windowId, row.start, row.end, row.status, row.events])
const told = (run: Run) =>
  run.revisions
    .filter((r) => r.dims[0] === 'x')
    .map((r) => [r.windowId, r.kind, r.revision, r.before?.events ?? null, r.after.events])

describe('events of a key', () => {
  test('that touch are one session, and a millisecond more apart are two', () => {
    const touch = patient()
    touch.oneByOne(x(0), x(10))
    expect(ofX(touch)).toEqual([[1, 0, 20, 'open', 2]])
    const apart = patient()
    apart.oneByOne(x(0), x(11))
    expect(ofX(apart)).toEqual([
      [1, 0, 10, 'open', 1],
      [2, 11, 21, 'open', 1],
    ])
    const before = patient()
    before.oneByOne(x(11), x(1), x(-10))
    expect(ofX(before)).toEqual([
      [1, 1, 21, 'open', 2],
      [2, -10, 0, 'open', 1],
    ])
  })

  test('are joined to no session of another key, nor of another currency', () => {
    const run = patient()
    run.oneByOne(x(0), y(5), x(5, { currency: 'EUR' }))
    expect([...run.rows.values()].map((row) => [row.windowId, row.key, row.events])).toEqual([
      [1, KEY, 1],
      [2, '["USD","y"]', 1],
      [3, '["EUR","x"]', 1],
    ])
  })

  test('grow their session in place, to both sides, under one number', () => {
    const run = patient()
    run.oneByOne(x(5), x(12), x(0))
    expect(ofX(run)).toEqual([[1, 0, 22, 'open', 3]])
    run.restart()
    run.events(x(22))
    expect(ofX(run)).toEqual([[1, 0, 32, 'open', 4]])
  })

  test('between two open sessions make them one: the other row vanishes, and nothing was published', () => {
    const run = patient()
    run.oneByOne(x(0, { order: 'o' }), x(15, { order: 'o' }), x(8, { order: 'p' }))
    expect(ofX(run)).toEqual([
      [1, 0, 25, 'open', 3],
      [2, 15, 25, 'superseded', 0],
    ])
    expect([session(run, 1)?.orders, run.revisions]).toEqual([2, []])
    run.end()
    expect(told(run)).toEqual([[1, 'on-time', 1, null, 3]])
  })
})

describe('a session', () => {
  test('fires at W = end - 1 as it has grown, and not where it ended first', () => {
    const run = begun()
    run.oneByOne(x(0), x(8), y(9), y(17))
    expect(told(run)).toEqual([])
    run.events(y(18))
    expect(run.revisions.filter((r) => r.dims[0] === 'x')).toMatchObject([
      { kind: 'on-time', start: 0, end: 18, windowId: 1, watermark: 17, revision: 1 },
    ])
  })

  test('closes at W = end - 1 + L, and its ids are known until then', () => {
    const run = begun({ allowedLateness: 20 })
    run.oneByOne(x(0, { id: 'i' }), y(29), x(0, { id: 'i' }))
    expect([run.state.counts.duplicate, session(run, 1)?.status]).toEqual([1, 'fired'])
    run.events(y(30))
    expect(session(run, 1)?.status).toBe('closed')
    run.events(x(0, { id: 'i' }))
    expect(run.state.counts).toMatchObject({ duplicate: 1, late: 1 })
  })

  test('that is closed is not merged again: what would touch it begins a new one, or is late', () => {
    const run = begun({ allowedLateness: 0 })
    run.oneByOne(x(0), y(13), x(2), x(8))
    expect(run.late).toMatchObject([{ windowStart: 2, windowEnd: 12, watermark: 12, lateBy: 1 }])
    expect(ofX(run)).toEqual([
      [1, 0, 10, 'closed', 1],
      [3, 8, 18, 'open', 1],
    ])
  })

  test('that is live is joined also by what would be late alone', () => {
    const run = begun({ allowedLateness: 0 })
    run.oneByOne(x(0), x(9), y(13), x(1))
    expect([ofX(run)[0], run.state.counts.late]).toEqual([[1, 0, 19, 'open', 3], 0])
  })

  test('made of two has the larger of their Ls', () => {
    const run = patient({ allowedLateness: 100 })
    run.events(x(0))
    const { spec } = run.state.pipeline ?? run
    run.command({ kind: 'changeSpec', spec: { ...spec, allowedLateness: 0 } })
    run.oneByOne(x(15), x(8), y(624))
    expect(session(run, 1)).toMatchObject({ start: 0, end: 25, status: 'fired' })
    run.events(y(625))
    expect(session(run, 1)?.status).toBe('closed')
  })
})

describe('sessions beside minutes', () => {
  const both = [{ id: 'm', window: tumbling(100) }, ...(views ?? [])]

  test('count what the minutes count, and are born fired behind the watermark', () => {
    const run = begun({ views: both, allowedLateness: 0 })
    run.oneByOne(x(50), x(5))
    expect(told(run)).toEqual([[2, 'correction', 1, null, 1]])
    expect(run.state.counts).toMatchObject({ inTime: 1, corrected: 1 })
    run.oneByOne(y(100), x(60))
    expect([run.state.counts.late, run.row('m', 0, '["USD"]')?.events]).toEqual([1, 2])
  })

  test('close when the minute that holds their end has closed: an event there would touch them', () => {
    const run = begun({ views: both, allowedLateness: 0 })
    run.oneByOne(x(85), x(90), y(100))
    expect(session(run, 1)).toMatchObject({ end: 100, status: 'fired' })
    run.events(x(100))
    expect(session(run, 1)?.status).toBe('superseded')
    run.events(y(200))
    expect(ofX(run)[1]).toEqual([3, 85, 110, 'closed', 3])
  })
})

describe('the cap on keys of a session view', () => {
  test('is over its live sessions: a key that is there stays, others share `__other__`', () => {
    const capped = (views ?? []).map((view) => ({ ...view, maxKeys: 1 }))
    const run = patient({ views: capped })
    run.oneByOne(x(0), y(1), { ts: 2, dims: { k: 'z' } }, x(3))
    expect([...run.rows.values()].map((row) => [row.key, row.events])).toEqual([
      [KEY, 2],
      ['["USD","__other__"]', 2],
    ])
    expect(run.state.counts.overflow).toBe(2)
    expect(run.notices.map((n) => [n.kind, n.subject])).toEqual([['keys_over_cap', 's']])
  })
})

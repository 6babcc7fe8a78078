import { describe, expect, test } from 'vitest'
import { touchedRows } from '../../../support/anyProgram'
import { type Ev, Run, type SpecInput } from '../../../support/engine'

const views: SpecInput['views'] = [{ id: 's', window: { kind: 'session', gap: 10 }, groupBy: ['k'] }]
const x = (ts: number, over: Partial<Ev> = {}): Ev => ({ ts, dims: { k: 'x' }, ...over })
const y = (ts: number): Ev => ({ ts, dims: { k: 'y' } })
const KEY = '["USD","x"]'
const told = (run: Run) =>
  run.revisions
    .filter((r) => r.dims[0] === 'x')
    .map((r) => [r.windowId, r.kind, r.revision, r.before?.net ?? null, r.after.net])

/** Sessions of key x on screen: all but superseded ones. */
const shown = (run: Run) =>
  [...run.rows.values()].filter((row) => row.key === KEY && row.status !== 'superseded')
const events = (run: Run) => shown(run).reduce((sum, row) => sum + row.events, 0)

/** Session 1, [0, 10), has fired with an order of 5; the watermark is at `W`. */
function fired(W: number, over: SpecInput = {}): Run {
  const run = new Run({ views, allowedLateness: 1000, ...over })
  run.oneByOne(x(0, { amount: '5', id: 'first' }), y(W + 1))
  run.revisions.length = 0
  return run
}

describe('an event that joins a published session', () => {
  test('corrects it in place where it has fired as a whole: same number, later end', () => {
    const run = fired(20)
    run.events(x(8, { amount: '2' }))
    expect(told(run)).toEqual([[1, 'correction', 2, '5.0000', '7.0000']])
    expect(run.row('s', 1, KEY)).toMatchObject({ start: 0, end: 18, status: 'fired', revision: 2 })
    expect(run.state.counts).toMatchObject({ inTime: 2, corrected: 1 })
  })

  test('supersedes it where the whole is not over: retracted and replaced in one record', () => {
    const run = fired(12)
    const outcome = run.events(x(8, { amount: '2' }))
    expect(told(run)).toEqual([[1, 'superseded', 2, '5.0000', '0.0000']])
    expect(run.revisions).toMatchObject([{ deltaNet: '-5.0000', eventCount: 0, watermark: 12 }])
    expect(run.row('s', 1, KEY)).toMatchObject({ status: 'superseded', events: 0, net: '0.0000', orders: 0 })
    expect(run.row('s', 3, KEY)).toMatchObject({
      start: 0,
      end: 18,
      status: 'open',
      revision: 0,
      net: '7.0000',
    })
    // Both rows are written with the next flush: the new one does not wait with the totals of open windows.
    expect(
      touchedRows(outcome)
        .map(({ row, published }) => [row.windowId, published])
        .sort(),
    ).toEqual([
      [1, true],
      [3, true],
    ])
    expect(run.state.counts).toMatchObject({ inTime: 2, corrected: 1 })
  })

  test('after which the new one fires on its own, from nothing', () => {
    const run = fired(12)
    run.oneByOne(x(8, { amount: '2' }), y(18))
    expect(told(run).slice(1)).toEqual([[3, 'on-time', 1, null, '7.0000']])
    expect(events(run)).toBe(2)
  })

  test('keeps the ids of what was swallowed: a repeat is a duplicate as before', () => {
    const run = fired(12)
    run.oneByOne(x(8), x(0, { amount: '5', id: 'first' }))
    expect(run.state.counts).toMatchObject({ duplicate: 1, conflict: 0 })
    run.restart()
    run.events(x(0, { amount: '5', id: 'first' }))
    expect(run.state.counts).toMatchObject({ duplicate: 2, conflict: 0 })
  })

  test('counts an order once that both had seen', () => {
    const run = fired(20)
    run.events(x(8, { order: 'first' }))
    expect(run.row('s', 1, KEY)).toMatchObject({ events: 2, orders: 1 })
  })
})

describe('an event between two published sessions', () => {
  /** Sessions 1, [0, 10), and 2, [20, 30), have fired; the watermark is at `W`. */
  function two(W: number, over: SpecInput = {}): Run {
    const run = new Run({ views, allowedLateness: 1000, ...over })
    run.oneByOne(x(0, { amount: '5' }), x(20, { amount: '3' }), y(W + 1))
    run.revisions.length = 0
    return run
  }

  test('makes them one: the first is corrected, the other retracted, in the same record', () => {
    const run = two(40)
    run.events(x(10, { amount: '1' }))
    expect(told(run)).toEqual([
      [2, 'superseded', 2, '3.0000', '0.0000'],
      [1, 'correction', 2, '5.0000', '9.0000'],
    ])
    expect(shown(run).map((row) => [row.windowId, row.start, row.end, row.net])).toEqual([
      [1, 0, 30, '9.0000'],
    ])
    expect(run.revisions.reduce((sum, r) => sum + Number(r.deltaNet), 0)).toBe(1)
  })

  test('retracts both where the whole is not over', () => {
    const run = two(29)
    run.events(x(30, { amount: '1' }), x(10, { amount: '1' }))
    expect(told(run)).toEqual([
      [2, 'superseded', 2, '3.0000', '0.0000'],
      [1, 'superseded', 2, '5.0000', '0.0000'],
    ])
    expect(shown(run).map((row) => [row.windowId, row.start, row.end, row.net, row.status])).toEqual([
      [5, 0, 40, '10.0000', 'open'],
    ])
  })

  test('after a correction in the same record tells that correction with the one that took it in', () => {
    const run = two(60)
    run.events(x(21, { amount: '1', id: 'p' }), x(10, { amount: '1', id: 'q' }))
    expect(told(run)).toEqual([
      [2, 'superseded', 2, '3.0000', '0.0000'],
      [1, 'correction', 2, '5.0000', '10.0000'],
    ])
    expect(run.revisions[1]).toMatchObject({ eventCount: 2, eventIds: ['p', 'q'] })
  })

  test('in per-event mode tells each by itself', () => {
    const run = two(60, { coalesce: 'event' })
    run.events(x(21, { amount: '1', id: 'p' }), x(10, { amount: '1', id: 'q' }))
    expect(told(run)).toEqual([
      [2, 'correction', 2, '3.0000', '4.0000'],
      [2, 'superseded', 3, '4.0000', '0.0000'],
      [1, 'correction', 2, '5.0000', '10.0000'],
    ])
  })
})

describe('a session that inactivity fired', () => {
  test('is superseded by what still comes, since it is not over', () => {
    const run = new Run({ views, allowedLateness: 1000, closeByInactivity: 100 })
    run.events(x(0, { at: 0 }))
    run.tick(101)
    run.events(x(3, { at: 102 }))
    expect(told(run)).toEqual([
      [1, 'inactivity', 1, null, '1.0000'],
      [1, 'superseded', 2, '1.0000', '0.0000'],
    ])
    expect([shown(run).map((row) => [row.windowId, row.status]), run.state.counts.corrected]).toEqual([
      [[2, 'open']],
      1,
    ])
  })
})

describe('the screen', () => {
  test('shows each order once at every step of a storm of merges', () => {
    const run = new Run({ views, allowedLateness: 1000 })
    let counted = 0
    for (const ts of [0, 30, 60, 11, 90, 21, 75, 45, 38, 53, 82, 68]) {
      run.oneByOne(x(ts), y(ts + 12))
      counted++
      expect(events(run)).toBe(counted)
    }
    expect(run.state.counts.late).toBe(0)
    run.end()
    expect([events(run), shown(run).every((row) => row.status === 'closed')]).toEqual([counted, true])
  })
})

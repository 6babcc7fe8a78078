import { describe, expect, test } from 'vitest'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

const sliding = { kind: 'sliding', size: 30, slide: 10 } as const
const begun = (over: SpecInput = {}) => new Run({ views: [{ id: 's', window: sliding }], ...over })
const told = (run: Run) => run.revisions.map((r) => [r.kind, r.start, r.after.events])

describe('an event of a sliding view', () => {
  test('counts in every window that holds its time, and each fires at its own end', () => {
    const run = begun()
    run.oneByOne({ ts: 5 }, { ts: 15 }, { ts: 100 })
    expect(run.revisions.map((r) => [r.start, r.end, r.after.events, r.windowId])).toEqual([
      [-20, 10, 1, -20],
      [-10, 20, 2, -10],
      [0, 30, 2, 0],
      [10, 40, 1, 10],
    ])
  })

  test('at the very start of a window is in it, and at its end is not', () => {
    const run = begun()
    run.oneByOne({ ts: 10 }, { ts: 100 })
    expect(told(run).map(([, start]) => start)).toEqual([-10, 0, 10])
  })

  test('is in windows of a slide that does not divide the size, and of an offset, too', () => {
    const run = begun({ views: [{ id: 's', window: { kind: 'sliding', size: 25, slide: 10, offset: 3 } }] })
    run.oneByOne({ ts: 22 }, { ts: 24 }, { ts: 500 })
    expect(told(run)).toEqual([
      ['on-time', -7 + 10, 2],
      ['on-time', 13, 2],
      ['on-time', 23, 1],
    ])
  })

  test('is not shown yet in a later window that is shown for another key', () => {
    const strategy = { kind: 'bounded', bound: 100 } as const
    const run = begun({ strategy, views: [{ id: 's', window: sliding, groupBy: ['shop'] }] })
    const eventsOf = (shop: string, start: number) => run.row('s', start, `["USD","${shop}"]`)?.events
    run.events({ ts: 35, dims: { shop: 'a' } })
    const { touched } = run.events({ ts: 22, dims: { shop: 'b' } })
    expect([eventsOf('a', 10), eventsOf('b', 0), eventsOf('b', 10)]).toEqual([1, 1, undefined])
    expect(touched.flatMap(({ ordinals }) => ordinals)).toHaveLength(1)
    run.events({ ts: 22, dims: { shop: 'a' } })
    expect([eventsOf('a', 0), eventsOf('a', 10)]).toEqual([1, 2])
  })

  test('shows the running total of the window that fires next, at once', () => {
    const run = begun()
    run.events({ ts: 5, amount: '2' })
    run.events({ ts: 6, amount: '3' })
    expect(run.row('s', -20)).toMatchObject({ status: 'open', revision: 0, net: '5.0000', end: 10 })
    run.events({ ts: 15, amount: '7' })
    expect(run.row('s', -10)).toMatchObject({ status: 'open', net: '12.0000', events: 3 })
  })
})

describe('distinct orders and buyers of overlapping windows', () => {
  test('are exact: an order seen in two slices of a window is one there, and one in each window that saw it', () => {
    const run = begun()
    run.oneByOne({ ts: 5, order: 'o', user: 'u' }, { ts: 15, order: 'o', user: 'u' }, { ts: 100 })
    expect(run.revisions.map((r) => [r.start, r.after.events, r.after.orders, r.after.buyers])).toEqual([
      [-20, 1, 1, 1],
      [-10, 2, 1, 1],
      [0, 2, 1, 1],
      [10, 1, 1, 1],
    ])
  })

  test('are exact in whatever order the slices come', () => {
    const run = begun({ strategy: { kind: 'bounded', bound: 500 } })
    run.oneByOne(
      { ts: 25, order: 'o' },
      { ts: 5, order: 'o' },
      { ts: 15, order: 'o' },
      { ts: 15, order: 'p' },
    )
    run.end()
    expect(run.revisions.map((r) => [r.start, r.after.events, r.after.orders])).toEqual([
      [-20, 1, 1],
      [-10, 3, 2],
      [0, 4, 2],
      [10, 3, 2],
      [20, 1, 1],
    ])
  })
})

describe('an event that some windows of a sliding base are closed to', () => {
  test('counts in the others, and what it missed is told: how many, from where to where', () => {
    const run = begun()
    run.oneByOne({ ts: 35 }, { ts: 15, id: 'x' })
    expect(run.missed).toEqual([
      { row: 0, view: 's', windows: 2, firstStart: -10, lastEnd: 30, watermark: 34 },
    ])
    expect([run.state.counts.inTime, run.state.counts.late]).toEqual([2, 0])
    run.events({ ts: 40 })
    expect(run.revisions).toMatchObject([{ start: 10, kind: 'on-time', after: { events: 2 } }])
  })

  test('is late when all of them are closed, and names the last one', () => {
    const run = begun()
    run.oneByOne({ ts: 35 }, { ts: 4, id: 'x' })
    expect(run.late).toMatchObject([{ id: 'x', windowStart: 0, windowEnd: 30, watermark: 34, lateBy: 5 }])
    expect([run.missed, run.state.counts.late]).toEqual([[], 1])
  })

  test('corrects those of the others that had fired', () => {
    const run = begun({ allowedLateness: 6 })
    run.oneByOne({ ts: 35 }, { ts: 15, id: 'x' })
    expect(run.missed).toMatchObject([{ windows: 1, firstStart: -10, lastEnd: 20 }])
    expect(told(run)).toEqual([['correction', 0, 1]])
    expect(run.state.counts).toMatchObject({ inTime: 1, corrected: 1 })
  })

  test('is known as a duplicate as long as one of its windows is open', () => {
    const run = begun()
    run.oneByOne({ ts: 5, id: 'x' }, { ts: 29 }, { ts: 5, id: 'x' })
    expect(run.state.counts).toMatchObject({ duplicate: 1 })
    run.oneByOne({ ts: 30 }, { ts: 5, id: 'x' })
    expect(run.state.counts).toMatchObject({ duplicate: 1, late: 1 })
  })
})

describe('a correction of a sliding view', () => {
  test('goes to each window of the event that had fired, one revision each a record, and the event corrects once', () => {
    const run = begun({ allowedLateness: 1000 })
    run.oneByOne({ ts: 5 }, { ts: 35 })
    run.revisions.length = 0
    run.events({ ts: 15, id: 'x' }, { ts: 12, id: 'y' })
    expect(
      run.revisions.map((r) => [r.kind, r.start, r.revision, r.before?.events, r.after.events, r.eventIds]),
    ).toEqual([
      ['correction', -10, 2, 1, 3, ['x', 'y']],
      ['correction', 0, 2, 1, 3, ['x', 'y']],
    ])
    expect(run.state.counts.corrected).toBe(2)
    expect(run.row('s', 10)).toMatchObject({ status: 'open', events: 3 })
  })
})

describe('a sliding view beside minutes', () => {
  const views = [
    { id: 'm', window: tumbling(10) },
    { id: 's', window: { kind: 'sliding', size: 25, slide: 10, offset: 3 } as const },
  ]

  test('counts what they count, and nothing that is late for its minute', () => {
    const run = new Run({ views })
    run.oneByOne({ ts: 5 }, { ts: 15 }, { ts: 4 }, { ts: 100 })
    expect([run.state.counts.late, run.missed]).toEqual([1, []])
    const ofS = run.revisions.filter((r) => r.view === 's')
    expect(ofS.map((r) => [r.start, r.after.events])).toEqual([
      [-17, 1],
      [-7, 2],
      [3, 2],
      [13, 1],
    ])
  })

  test('closes when the minute of its last instant has, so that no event can still come', () => {
    const run = new Run({ views })
    run.oneByOne({ ts: 25 }, { ts: 27 })
    // [3, 28) has its last instant in the minute [20, 30).
    run.events({ ts: 28 })
    expect(run.row('s', 3)?.status).toBe('fired')
    run.events({ ts: 26 })
    expect(run.row('s', 3)).toMatchObject({ revision: 2, events: 3 })
    run.events({ ts: 30 })
    expect(run.row('s', 3)?.status).toBe('closed')
  })
})

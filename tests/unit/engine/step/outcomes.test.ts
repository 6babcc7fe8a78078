import { describe, expect, test } from 'vitest'
import { type Ev, Run, tumbling } from '../../../support/engine'

describe('a late event', () => {
  const late = { ts: 900, id: 'x', source: 'b', at: 70 }

  test('changes no window and says which it missed, where W stood and how far past the close', () => {
    const run = new Run({ allowedLateness: 100 })
    run.oneByOne({ ts: 500 }, { ts: 1200 })
    const { touched, revisions } = run.events({ ts: 1300, id: 'ok' }, late)
    expect(run.late).toEqual([
      { id: 'x', row: 1, windowStart: 0, windowEnd: 1000, watermark: 1299, lateBy: 200 },
    ])
    const starts = touched.flatMap(({ group, ordinals }) => ordinals.map((i) => group.row(i).start))
    expect([starts, revisions]).toEqual([[1000], []])
    expect(run.row('m', 0)).toMatchObject({ events: 1, status: 'closed' })
    expect(run.state.countsBySource.get('b')).toMatchObject({ received: 1, late: 1 })
  })

  test('is 0 past the close at the very millisecond', () => {
    const run = new Run({ allowedLateness: 100 })
    run.oneByOne({ ts: 1100 }, { ts: 999 })
    expect(run.late).toMatchObject([{ watermark: 1099, lateBy: 0 }])
  })

  test('is judged by the state of its window, not by W: one older than W is counted while it is open', () => {
    const run = new Run()
    run.oneByOne({ ts: 900 }, { ts: 100 })
    expect([run.watermark, run.state.counts.inTime, run.state.counts.late]).toEqual([899, 2, 0])
  })

  test('is late for the hour as it is for its minute, though the hour is open', () => {
    const views = [
      { id: 'h', window: tumbling(60_000) },
      { id: 'm', window: tumbling(1000) },
    ]
    const run = new Run({ views })
    run.oneByOne({ ts: 100 }, { ts: 2000 }, { ts: 500 })
    expect(run.late).toMatchObject([{ windowStart: 0, windowEnd: 1000 }])
    expect(run.row('h', 0)).toMatchObject({ events: 2, status: 'open' })
  })

  test('that comes twice is late twice: its id was not kept', () => {
    const run = new Run()
    run.oneByOne({ ts: 5000 }, { ts: 1, id: 'x' }, { ts: 1, id: 'x' })
    expect(run.state.counts).toMatchObject({ late: 2, duplicate: 0 })
  })
})

describe('a repeat', () => {
  const first: Ev = { ts: 500, id: 'x', order: 'o', user: 'u', amount: '5', dims: { r: '1', c: '2' } }

  test('is a duplicate, and no conflict when all of it is the same, in whatever order the dimensions come', () => {
    const run = new Run()
    run.oneByOne(first, first, { ...first, dims: { c: '2', r: '1' } })
    expect(run.state.counts).toMatchObject({ inTime: 1, duplicate: 2, conflict: 0 })
    expect(run.row('m', 0)?.net).toBe('5.0000')
  })

  test.each<[string, Partial<Ev>]>([
    ['event time', { ts: 501 }],
    ['event time, in another window', { ts: 70_500 }],
    ['order', { order: 'p' }],
    ['user', { user: 'v' }],
    ['no user', { user: undefined }],
    ['amount in its low limb', { amount: '5.0001' }],
    ['amount in its high limb', { amount: '10005' }],
    ['type', { refund: true }],
    ['currency', { currency: 'EUR' }],
    ['value of a dimension', { dims: { r: '1', c: '3' } }],
    ['dimension less', { dims: { r: '1' } }],
    ['values of two dimensions exchanged', { dims: { r: '2', c: '1' } }],
  ])('with another %s is a duplicate and a conflict', (_, change) => {
    const run = new Run()
    run.oneByOne(first, { ...first, ...change })
    expect(run.state.counts).toMatchObject({ received: 2, inTime: 1, duplicate: 1, conflict: 1 })
    expect(run.conflicts).toEqual(['x'])
    expect(run.watermark).toBe(499)
  })

  test('within one record is seen too', () => {
    const run = new Run()
    run.events(first, first)
    expect(run.state.counts).toMatchObject({ inTime: 1, duplicate: 1 })
  })

  test('is one within its source only', () => {
    const run = new Run()
    run.oneByOne(first, { ...first, source: 'b' })
    expect(run.state.counts).toMatchObject({ inTime: 2, duplicate: 0 })
  })

  test('is not seen where source and id are merely exchanged', () => {
    const run = new Run()
    run.oneByOne({ ts: 1, source: 'a', id: 'b' }, { ts: 1, source: 'b', id: 'a' })
    expect(run.state.counts).toMatchObject({ inTime: 2, duplicate: 0 })
  })

  test('is known while its window can be corrected, and late after that', () => {
    const run = new Run({ allowedLateness: 1000 })
    run.oneByOne(first, { ts: 1999 }, first)
    expect(run.state.counts).toMatchObject({ duplicate: 1, late: 0 })
    run.oneByOne({ ts: 2000 }, first)
    expect(run.state.counts).toMatchObject({ duplicate: 1, late: 1 })
    expect(run.state.pipeline?.ids.size).toBe(2)
  })

  test('counts as a duplicate whatever else it says: also where its own time would be late', () => {
    const run = new Run()
    run.oneByOne({ ts: 5500, id: 'x' }, { ts: 1, id: 'x' })
    expect(run.state.counts).toMatchObject({ duplicate: 1, conflict: 1, late: 0 })
  })
})

describe('the counts', () => {
  test('add up, overall and by source, with each outcome there', () => {
    const run = new Run({ allowedLateness: 1000 })
    run.oneByOne({ ts: 500, id: 'x' }, { ts: 500, id: 'x' }, { ts: 1500 }, { ts: 600, source: 'b' })
    run.reject('b')
    run.reject('never')
    run.oneByOne({ ts: 9000 }, { ts: 9000, source: 'b' }, { ts: 1, source: 'b' })
    const expected = {
      received: 9,
      inTime: 4,
      corrected: 1,
      late: 1,
      duplicate: 1,
      quarantined: 2,
      conflict: 0,
      test: 0,
      overflow: 0,
    }
    expect(run.state.counts).toEqual(expected)
    const by = (name: string) => run.state.countsBySource.get(name)
    expect(by('a')).toEqual({ ...expected, received: 4, inTime: 3, corrected: 0, late: 0, quarantined: 0 })
    expect(by('b')).toEqual({ ...expected, received: 4, inTime: 1, duplicate: 0, quarantined: 1 })
    expect(by('never')).toMatchObject({ received: 1, quarantined: 1 })
  })
})

import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../../server/contracts/instant'
import type { Mark } from '../../../../server/contracts/journalRecord'
import { batchOf, type Ev, Run, type SpecInput, tumbling } from '../../../support/engine'

const punctuated = (over: SpecInput = {}) => new Run({ strategy: { kind: 'punctuated' }, ...over })
const mark = (row: number, mark: number, source = 'a', at = 0): Mark => ({ row, source, mark, at })

/** Folds events and the marks among them as one record. */
function together(run: Run, events: Ev[], marks: Mark[]): void {
  const at = Math.max(run.state.at, ...marks.map((m) => m.at), ...events.map((e) => e.at ?? 0))
  run.record({ kind: 'events', at, batch: batchOf(events, at, 100), rejected: [], marks })
}

describe('a punctuated source', () => {
  test('has no watermark from its events, however far ahead they are', () => {
    const run = punctuated()
    run.oneByOne({ ts: 500 }, { ts: 99_500 })
    expect([run.watermark, run.revisions]).toEqual([MIN_INSTANT, []])
  })

  test('is at m - 1 after mark m, so that an event with ts = m is in time (field case 9)', () => {
    const run = punctuated({ views: [{ id: 'm', window: tumbling(101) }] })
    run.events({ ts: 100, id: 'first' })
    run.mark('a', 100)
    run.events({ ts: 100, id: 'second' })
    expect(run.watermark).toBe(99)
    expect(run.state.counts).toMatchObject({ inTime: 2, corrected: 0, late: 0 })
    run.mark('a', 101)
    expect(run.row('m', 0)).toMatchObject({ status: 'closed', events: 2, revision: 1 })
  })

  test('is not taken back by an earlier mark', () => {
    const run = punctuated()
    run.mark('a', 1000)
    run.mark('a', 400)
    expect(run.watermark).toBe(999)
  })

  test('fires a window by a mark that comes in a record of its own', () => {
    const run = punctuated()
    run.events({ ts: 500, at: 3 })
    run.mark('a', 999, 4)
    expect(run.revisions).toEqual([])
    run.mark('a', 1000, 5)
    expect(run.revisions).toMatchObject([{ kind: 'on-time', start: 0, at: 5, pos: 4, watermark: 999 }])
  })
})

describe('marks among the events of a record', () => {
  test('stand where they were sent: what comes before one is in time, what comes after it is late', () => {
    const run = punctuated()
    together(run, [{ ts: 500 }, { ts: 600 }, { ts: 700 }], [mark(2, 1000)])
    expect(run.state.counts).toMatchObject({ inTime: 2, late: 1 })
    expect(run.late).toMatchObject([{ row: 2, windowStart: 0, watermark: 999 }])
  })

  test('before the first event and behind the last one count too, and several at one place in their order', () => {
    const run = punctuated()
    together(run, [{ ts: 1500 }], [mark(0, 1000), mark(0, 1200), mark(1, 2000)])
    expect(run.revisions).toMatchObject([{ start: 1000, watermark: 1999 }])
    const before = punctuated()
    together(before, [{ ts: 500 }], [mark(0, 1000)])
    expect(before.state.counts).toMatchObject({ late: 1 })
  })

  test('do the same as in records of their own', () => {
    const [apart, one] = [punctuated({ allowedLateness: 50 }), punctuated({ allowedLateness: 50 })]
    const events = [500, 700, 1900, 900].map((ts, i) => ({ ts, id: `x${i}` }))
    together(one, events, [mark(1, 800), mark(3, 1020)])
    apart.events(...events.slice(0, 1))
    apart.mark('a', 800)
    apart.events(...events.slice(1, 3))
    apart.mark('a', 1020)
    apart.events(...events.slice(3))
    expect(one.watermark).toBe(apart.watermark)
    expect(one.state.counts).toEqual(apart.state.counts)
    expect(one.state.counts).toMatchObject({ inTime: 3, corrected: 1 })
    expect([...one.rows]).toEqual([...apart.rows])
  })
})

describe('a mark', () => {
  test('restarts the idle timer and makes its source active', () => {
    const run = punctuated({ idleTimeout: 10, sources: [{ name: 'a' }, { name: 'b' }] })
    run.mark('a', 500, 8)
    run.tick(18)
    expect(run.state.clock.idleSources()).toEqual(['b'])
    run.tick(19)
    expect(run.state.clock.idleSources()).toEqual(['a', 'b'])
    run.mark('b', 100, 30)
    expect(run.state.clock.idleSources()).toEqual(['a'])
  })

  test('sees who is idle as of its own time before it counts', () => {
    const run = punctuated({ idleTimeout: 10, sources: [{ name: 'a' }, { name: 'b' }] })
    run.mark('b', 5000, 0)
    run.events({ ts: 4500, source: 'b', at: 1 })
    expect(run.watermark).toBe(MIN_INSTANT)
    run.mark('b', 5500, 11)
    expect([run.watermark, run.row('m', 4000)?.leftOut]).toEqual([5499, ['a']])
  })

  test('of a source that nobody knows makes it join', () => {
    const run = punctuated()
    run.mark('a', 5000)
    run.mark('new', 100)
    run.mark('a', 9000)
    expect(run.watermark).toBe(4999)
    expect(run.state.clock.sources.get('new')).toMatchObject({ declared: false, watermark: 99 })
  })

  test('of a source that goes by its events moves nothing, but keeps it awake', () => {
    const run = new Run({ idleTimeout: 10 })
    run.events({ ts: 500, at: 0 })
    run.mark('a', 90_000, 9)
    run.tick(15)
    expect([run.watermark, run.state.clock.idleSources(), run.revisions]).toEqual([499, [], []])
  })
})

describe('equal times', () => {
  test('are in time for an ascending source: it is bounded by 0', () => {
    const run = new Run({ strategy: { kind: 'ascending' }, views: [{ id: 'm', window: tumbling(101) }] })
    run.oneByOne({ ts: 100 }, { ts: 100 }, { ts: 100 })
    expect([run.watermark, run.state.counts.inTime]).toEqual([99, 3])
    run.oneByOne({ ts: 101 }, { ts: 100 })
    expect([run.watermark, run.state.counts.late]).toEqual([100, 1])
  })
})

import { describe, expect, test } from 'vitest'
import { step } from '../../../../server/engine/step'
import { Run, tumbling } from '../../../support/engine'

describe('a window', () => {
  test('does not fire at W = end - 2, and fires at W = end - 1', () => {
    const run = new Run()
    run.oneByOne({ ts: 500 }, { ts: 999 })
    expect([run.watermark, run.revisions.length, run.row('m', 0)?.status]).toEqual([998, 0, 'open'])
    run.events({ ts: 1000 })
    expect([run.watermark, run.revisions.length]).toEqual([999, 1])
    expect(run.revisions[0]).toMatchObject({
      view: 'm',
      start: 0,
      end: 1000,
      kind: 'on-time',
      revision: 1,
      watermark: 999,
    })
  })

  test('is closed at W = end - 1 + L and not a millisecond before', () => {
    const run = new Run({ allowedLateness: 50 })
    run.oneByOne({ ts: 500 }, { ts: 1049 })
    expect([run.watermark, run.closed, run.row('m', 0)?.status]).toEqual([1048, [], 'fired'])
    run.events({ ts: 1050 })
    expect([run.closed, run.row('m', 0)?.status]).toEqual([
      [{ view: 'm', version: 1, windowId: 0 }],
      'closed',
    ])
  })

  test('that is empty does not fire', () => {
    const run = new Run()
    run.oneByOne({ ts: 500 }, { ts: 9500 })
    expect(run.revisions.map((r) => r.start)).toEqual([0])
  })

  test('waits B + L for its last word, and B for its first', () => {
    const run = new Run({ strategy: { kind: 'bounded', bound: 300 }, allowedLateness: 500 })
    run.oneByOne({ ts: 0 }, { ts: 1299 })
    expect(run.revisions).toEqual([])
    run.events({ ts: 1300 })
    expect(run.revisions.length).toBe(1)
    run.events({ ts: 1799 })
    expect(run.closed).toEqual([])
    run.events({ ts: 1800 })
    expect(run.closed.length).toBe(1)
  })

  test('fires in the order of ends, its rows in the order in which they came', () => {
    const run = new Run({
      strategy: { kind: 'bounded', bound: 2000 },
      views: [{ id: 'm', window: tumbling(1000), groupBy: ['k'] }],
    })
    const k = (name: string) => ({ k: name })
    run.events({ ts: 1500, dims: k('x') }, { ts: 500, dims: k('b') }, { ts: 600, dims: k('a') }, { ts: 5000 })
    expect(run.revisions.map((r) => [r.start, ...r.dims])).toEqual([
      [0, 'b'],
      [0, 'a'],
      [1000, 'x'],
    ])
  })

  test('fires on the tick that makes the source that held it idle, and names who was left out', () => {
    const run = new Run({ idleTimeout: 10, sources: [{ name: 'a' }, { name: 'pos-3' }] })
    run.events({ ts: 500, at: 5 }, { ts: 1000, at: 6 })
    run.tick(10)
    expect(run.revisions).toEqual([])
    run.tick(11)
    expect(run.revisions).toMatchObject([{ start: 0, kind: 'on-time', at: 11, lateBy: 0 }])
    expect(run.row('m', 0)?.leftOut).toEqual(['pos-3'])
  })

  test('that fires with every source awake leaves nobody out', () => {
    const run = new Run({ idleTimeout: 10, sources: [{ name: 'a' }] })
    run.events({ ts: 500 }, { ts: 1000 })
    expect(run.row('m', 0)?.leftOut).toEqual([])
  })

  test('that is opened behind the watermark is born fired and names who is left out then', () => {
    const run = new Run({ idleTimeout: 10, allowedLateness: 5000, sources: [{ name: 'a' }, { name: 'z' }] })
    run.events({ ts: 3000, at: 11 })
    run.events({ ts: 500, at: 12 })
    expect(run.row('m', 0)).toMatchObject({ status: 'fired', revision: 1, leftOut: ['z'] })
  })

  test('that is opened at W = end - 1 to the millisecond is born fired, and at end - 2 open', () => {
    const at = new Run({ allowedLateness: 5000 })
    at.oneByOne({ ts: 1000 }, { ts: 500 })
    expect([at.watermark, at.row('m', 0)?.status, at.state.counts.corrected]).toEqual([999, 'fired', 1])
    const before = new Run({ allowedLateness: 5000, views: [{ id: 'm', window: tumbling(1000, 1) }] })
    before.oneByOne({ ts: 1000 }, { ts: 2001, source: 'b' }, { ts: 500, source: 'b' })
    expect([before.watermark, before.row('m', 1)?.status, before.state.counts.corrected]).toEqual([
      999,
      'open',
      0,
    ])
  })

  test('says how long after its end it fired, in journal time', () => {
    const run = new Run()
    run.events({ ts: 500, at: 1200 }, { ts: 600, at: 1300 }, { ts: 1000, at: 1400 })
    expect(run.revisions[0]).toMatchObject({ lateBy: 400, at: 1400, pos: 2, eventCount: 2 })
  })
})

describe('the end record', () => {
  test('fires and closes everything, and what comes after it is late', () => {
    const run = new Run({ allowedLateness: 1e9 })
    run.events({ ts: 500 })
    run.end(7)
    expect(run.revisions).toMatchObject([{ kind: 'on-time', watermark: null, at: 7 }])
    expect(run.row('m', 0)?.status).toBe('closed')
    run.events({ ts: 99_500 })
    expect(run.late).toMatchObject([
      { windowStart: 99_000, watermark: null, lateBy: Number.MAX_SAFE_INTEGER },
    ])
  })
})

describe('the end record, after a silence', () => {
  test('leaves out who was idle by then', () => {
    const run = new Run({ idleTimeout: 10 })
    run.oneByOne({ ts: 500, source: 'a', at: 1 }, { ts: 600, source: 'z', at: 2 })
    run.end(100)
    expect(run.row('m', 0)).toMatchObject({ status: 'closed', leftOut: ['a', 'z'] })
  })
})

describe('a journal that is none', () => {
  test('is refused: events before the spec, a second spec, a position that does not follow', () => {
    const run = new Run()
    expect(() => run.record({ kind: 'spec', at: 0, spec: run.spec })).toThrow(RangeError)
    for (const position of [1, 2]) {
      expect(() => step(run.state, { kind: 'tick', at: 0, position })).toThrow(/does not follow 2/)
    }
    run.state.pipeline = null
    expect(() => run.tick(5)).toThrow(/before the first spec/)
  })
})

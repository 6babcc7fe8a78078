import { describe, expect, test } from 'vitest'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

const views = [
  { id: 'm', window: tumbling(1000) },
  { id: 'j', window: tumbling(100), time: 'journal' as const },
]
const begun = (over: SpecInput = {}) => new Run({ views, ...over })
const ofJ = (run: Run) => run.revisions.filter((r) => r.view === 'j')

describe('a view by journal time', () => {
  test('counts an event where it came, whenever it happened', () => {
    const run = begun({ allowedLateness: 100_000 })
    run.events({ ts: 70_000, at: 10 }, { ts: 5, at: 199, source: 'b' })
    expect([run.row('j', 0)?.events, run.row('j', 100)?.events]).toEqual([1, 1])
  })

  test('fires and closes at its end by journal time, at once, and not a millisecond before', () => {
    const run = begun()
    run.events({ ts: 5, at: 10 })
    run.tick(99)
    expect([ofJ(run), run.row('j', 0)?.status]).toEqual([[], 'open'])
    run.tick(100)
    expect(ofJ(run)).toMatchObject([
      { start: 0, end: 100, kind: 'on-time', revision: 1, at: 100, lateBy: 0, watermark: 4 },
    ])
    expect([run.closed, run.row('j', 0)?.status]).toEqual([
      [{ view: 'j', version: 1, windowId: 0 }],
      'closed',
    ])
  })

  test('fires before an event at its end counts, which is the next one’s', () => {
    const run = begun()
    run.events({ ts: 5, at: 10 }, { ts: 6, at: 100 })
    expect(ofJ(run)).toMatchObject([{ start: 0, after: { events: 1 }, at: 100 }])
    expect(run.row('j', 100)).toMatchObject({ status: 'open', events: 1 })
  })

  test('holds what is counted and nothing else: nothing late, no duplicate, nothing of a test source', () => {
    const run = begun({ sources: [{ name: 'a' }, { name: 'try', test: true }] })
    run.events({ ts: 5000, at: 10, id: 'x' }, { ts: 1, at: 10 }, { ts: 5000, at: 10, id: 'x' })
    run.events({ ts: 5000, at: 10, source: 'try' })
    expect([run.row('j', 0)?.events, run.state.counts.late, run.state.counts.duplicate]).toEqual([1, 1, 1])
  })

  test('is never corrected: what corrects a minute is new where it came', () => {
    const run = begun({ allowedLateness: 10_000 })
    run.events({ ts: 500, at: 10 }, { ts: 2000, at: 110 }, { ts: 600, at: 210 })
    run.tick(10_000)
    expect(run.state.counts).toMatchObject({ inTime: 2, corrected: 1 })
    expect(ofJ(run).map((r) => [r.start, r.kind, r.revision, r.after.events])).toEqual([
      [0, 'on-time', 1, 1],
      [100, 'on-time', 1, 1],
      [200, 'on-time', 1, 1],
    ])
  })

  test('goes on while the watermark stands still, and when the pipeline’s end is forced', () => {
    const run = begun({ sources: [{ name: 'a' }, { name: 'z' }] })
    run.events({ ts: 500, at: 10 })
    run.tick(500)
    expect(ofJ(run)).toMatchObject([{ start: 0, watermark: null }])
    run.events({ ts: 600, at: 510 })
    run.command({ kind: 'forceWatermark', to: 520 }, 520)
    expect(ofJ(run).length).toBe(1)
  })

  test('does not fire by inactivity, nor tell who was left out of it by that', () => {
    const run = begun({ closeByInactivity: 20 })
    run.events({ ts: 500, at: 10 })
    run.tick(50)
    expect(run.revisions.map((r) => r.view)).toEqual(['m'])
  })

  test('decides nothing: the base is a view by event time, however coarse', () => {
    const run = begun()
    run.events({ ts: 5000, at: 10 })
    run.tick(10_000)
    run.events({ ts: 5001, at: 10_001 })
    expect(run.state.counts).toMatchObject({ inTime: 2, late: 0 })
    expect(run.state.pipeline?.base.spec.id).toBe('m')
  })

  test('may slide, and cumulate', () => {
    const run = begun({
      views: [
        { id: 'm', window: tumbling(1000) },
        { id: 's', window: { kind: 'sliding', size: 100, slide: 50 }, time: 'journal' },
        { id: 'c', window: { kind: 'cumulate', step: 50, within: tumbling(100) }, time: 'journal' },
      ],
    })
    run.events({ ts: 1, at: 60 })
    run.events({ ts: 2, at: 120 })
    run.tick(200)
    const told = run.revisions.map((r) => [r.view, r.start, r.end, r.after.events, r.at])
    expect(told.filter(([view]) => view === 's')).toEqual([
      ['s', 0, 100, 1, 120],
      ['s', 50, 150, 2, 200],
      ['s', 100, 200, 1, 200],
    ])
    expect(told.filter(([view]) => view === 'c')).toEqual([
      ['c', 0, 100, 1, 120],
      ['c', 100, 150, 1, 200],
      ['c', 100, 200, 1, 200],
    ])
  })
})

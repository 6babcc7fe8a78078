import { describe, expect, test } from 'vitest'
import { Run, type SpecInput } from '../../../support/engine'

const begun = (over: SpecInput = {}) =>
  new Run({ maxDrift: 100, sources: [{ name: 'a' }, { name: 'fast', pulled: true }], ...over })
const told = (run: Run) => run.notices.map((n) => [n.kind, n.subject, n.position])
const waits = (run: Run, name = 'fast') => run.state.clock.sources.get(name)?.wouldPause

describe('a pulled source', () => {
  test('would wait when it is more than the drift ahead of the slowest active one, and is told once', () => {
    const run = begun()
    run.events({ ts: 1000 }, { ts: 1100, source: 'fast' })
    expect([waits(run), told(run)]).toEqual([false, []])
    run.events({ ts: 1101, source: 'fast' })
    run.events({ ts: 1200, source: 'fast' })
    expect([waits(run), told(run)]).toEqual([true, [['drift_over_limit', 'fast', 3]]])
  })

  test('may go on when the others have caught up', () => {
    const run = begun()
    run.oneByOne({ ts: 1000 }, { ts: 1200, source: 'fast' }, { ts: 1099 }, { ts: 1100 })
    expect([waits(run), told(run).slice(1)]).toEqual([false, [['drift_over', 'fast', 5]]])
  })

  test('is held by nobody who is idle, nor by a test source', () => {
    const run = begun({
      idleTimeout: 10,
      sources: [{ name: 'a' }, { name: 'fast', pulled: true }, { name: 'try', test: true }],
    })
    run.events({ ts: 1000, at: 0 }, { ts: 1, source: 'try', at: 0 }, { ts: 5000, source: 'fast', at: 5 })
    expect(waits(run)).toBe(true)
    run.tick(11)
    expect(waits(run)).toBe(false)
  })

  test('that waits for a source that never spoke is told so', () => {
    const run = begun()
    run.events({ ts: 1000, source: 'fast' })
    expect(waits(run)).toBe(true)
  })

  test('never waits where no drift is set', () => {
    const run = begun({ maxDrift: null })
    run.events({ ts: 1 }, { ts: 9_000_000, source: 'fast' })
    expect([waits(run), told(run)]).toEqual([false, []])
  })
})

describe('a source that sends by itself', () => {
  test('is never told to wait', () => {
    const run = begun()
    run.events({ ts: 1, source: 'fast' }, { ts: 9_000_000 })
    expect([waits(run, 'a'), told(run)]).toEqual([false, []])
  })
})

describe('alignment', () => {
  test('changes no result', () => {
    const [aligned, plain] = [begun(), begun({ maxDrift: null })]
    for (const run of [aligned, plain]) {
      run.oneByOne({ ts: 1000 }, { ts: 5000, source: 'fast' }, { ts: 3000 }, { ts: 100 }, { ts: 6000 })
    }
    expect(told(aligned).length).toBeGreaterThan(0)
    expect([aligned.revisions, aligned.state.counts, aligned.watermark]).toEqual([
      plain.revisions,
      plain.state.counts,
      plain.watermark,
    ])
  })
})

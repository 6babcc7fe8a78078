import { describe, expect, test } from 'vitest'
import { inForce } from '../../../support/anyProgram'
import { Run, tumbling } from '../../../support/engine'

const bounded = (bound: number) => ({ kind: 'bounded', bound }) as const
const boundOf = (run: Run, name = 'a') => run.state.clock.sources.get(name)?.bound

describe('a new strategy for a source', () => {
  test('holds at once: a smaller bound raises the watermark and fires what it reaches', () => {
    const run = new Run({ strategy: bounded(1000) })
    run.oneByOne({ ts: 500, at: 1 }, { ts: 1700, at: 2 })
    const { command, revisions } = run.command(
      { kind: 'setStrategy', source: 'a', strategy: bounded(700) },
      9,
    )
    expect(command).toMatchObject({ refused: null, watermarkBefore: 699, watermarkAfter: 999 })
    expect(revisions).toMatchObject([{ kind: 'on-time', start: 0, at: 9, watermark: 999 }])
    expect(run.row('m', 0)?.status).toBe('closed')
  })

  test('with a larger bound takes no watermark back: it stands until the events are there', () => {
    const run = new Run({ strategy: bounded(0) })
    run.events({ ts: 1000 })
    run.command({ kind: 'setStrategy', source: 'a', strategy: bounded(5000) })
    run.events({ ts: 5999 })
    expect(run.watermark).toBe(999)
    run.events({ ts: 6001 })
    expect(run.watermark).toBe(1000)
  })

  test('of marks lets the watermark stand until the next one', () => {
    const run = new Run()
    run.events({ ts: 1000 })
    run.command({ kind: 'setStrategy', source: 'a', strategy: { kind: 'punctuated' } })
    run.events({ ts: 9000 })
    expect(run.watermark).toBe(999)
    run.mark('a', 1200)
    expect(run.watermark).toBe(1199)
  })

  test('that goes by events again makes good what the marks had not said', () => {
    const run = new Run({ strategy: { kind: 'punctuated' } })
    run.events({ ts: 9000 })
    run.command({ kind: 'setStrategy', source: 'a', strategy: bounded(1000) })
    expect(run.watermark).toBe(7999)
  })

  test('that learns begins anew: initial bound, no delays known', () => {
    const adaptive = {
      kind: 'adaptive',
      ...{ initial: 50, every: 10, sample: 4, atLeast: 2, percentile: 100 },
      ...{ factor: 1, least: 0, most: 900, fall: 20 },
    } as const
    const run = new Run({ strategy: { ...adaptive, initial: 70 } })
    run.oneByOne({ ts: -199, at: 1 }, { ts: -198, at: 2 })
    run.command({ kind: 'setStrategy', source: 'a', strategy: adaptive }, 5)
    run.events({ ts: 10, at: 11 })
    expect(boundOf(run)).toBe(50)
    run.oneByOne({ ts: -100, at: 12 }, { ts: 20, at: 20 })
    expect(boundOf(run)).toBe(112)
  })

  test('leaves the other sources as they were, and makes one that nobody declared a declared one', () => {
    const run = new Run({ strategy: bounded(10) })
    run.events({ ts: 1000 }, { ts: 1000, source: 'b' })
    run.command({ kind: 'setStrategy', source: 'b', strategy: bounded(500), idleTimeout: 7 })
    expect([boundOf(run), boundOf(run, 'b')]).toEqual([10, 500])
    expect(run.state.clock.sources.get('b')).toMatchObject({ declared: true, settings: { idleTimeout: 7 } })
    expect(inForce(run).sources).toMatchObject([{ name: 'b', strategy: bounded(500), idleTimeout: 7 }])
  })
})

describe('a new strategy for all', () => {
  test('is one for those that have none of their own', () => {
    const run = new Run({ strategy: bounded(10), sources: [{ name: 'own', strategy: bounded(99) }] })
    run.events({ ts: 1000 }, { ts: 1000, source: 'own' })
    run.command({ kind: 'setStrategy', source: null, strategy: bounded(3) })
    run.events({ ts: 1000, source: 'later' })
    expect(['a', 'own', 'later'].map((name) => boundOf(run, name))).toEqual([3, 99, 3])
  })

  test('may be a new idle timeout alone, which holds for timers that run', () => {
    const run = new Run({ idleTimeout: null })
    run.events({ ts: 500, at: 0 })
    run.tick(500)
    expect(run.state.clock.idleSources()).toEqual([])
    run.command({ kind: 'setStrategy', source: null, idleTimeout: 600 }, 501)
    run.tick(600)
    expect(run.state.clock.idleSources()).toEqual([])
    run.tick(601)
    expect(run.state.clock.idleSources()).toEqual(['a'])
  })

  test('that switches idleness off wakes nobody', () => {
    const run = new Run({ idleTimeout: 10 })
    run.events({ ts: 500, at: 0 })
    run.tick(11)
    run.command({ kind: 'setStrategy', source: null, idleTimeout: null }, 12)
    expect(run.state.clock.idleSources()).toEqual(['a'])
    run.events({ ts: 600, at: 13 })
    run.tick(99_999)
    expect(run.state.clock.idleSources()).toEqual([])
  })

  test('that is the one in force, or is for nobody, is refused', () => {
    const run = new Run({ strategy: bounded(10) })
    for (const source of [null, 'nobody']) {
      const { command } = run.command({ kind: 'setStrategy', source, strategy: bounded(10) })
      expect(command?.refused).toEqual(expect.any(String))
    }
  })
})

describe('a forced watermark', () => {
  const views = [{ id: 'm', window: tumbling(1000) }]

  test('is exactly there: windows up to it fire and close, and what comes for them is late', () => {
    const run = new Run({ views, allowedLateness: 500 })
    run.events({ ts: 500, at: 9000 }, { ts: 1700, source: 'b', at: 9000 })
    const { command, revisions, closed } = run.command({ kind: 'forceWatermark', to: 1999 }, 9000)
    expect(command).toMatchObject({ refused: null, watermarkBefore: 499, watermarkAfter: 1999 })
    expect(revisions.map((r) => [r.start, r.kind, r.watermark])).toEqual([
      [0, 'on-time', 1999],
      [1000, 'on-time', 1999],
    ])
    expect(closed.map((w) => w.windowId)).toEqual([0])
    run.events({ ts: 600 }, { ts: 1800 })
    expect(run.state.counts).toMatchObject({ late: 1, corrected: 1 })
  })

  test('stands until the sources have got there; their own watermarks are theirs', () => {
    const run = new Run({ views })
    run.events({ ts: 500, at: 9000 })
    run.command({ kind: 'forceWatermark', to: 5000 }, 9000)
    expect(run.state.clock.sources.get('a')?.watermark).toBe(499)
    run.events({ ts: 4000 })
    expect(run.watermark).toBe(5000)
    run.events({ ts: 6000 })
    expect(run.watermark).toBe(5999)
  })

  test('past the present, or not past the watermark, is refused and changes nothing', () => {
    const run = new Run({ views })
    run.events({ ts: 500, at: 9000 })
    for (const to of [9001, 499, 400]) {
      const { command, revisions } = run.command({ kind: 'forceWatermark', to }, 9000)
      expect([command?.refused, revisions]).toEqual([expect.any(String), []])
      expect(run.watermark).toBe(499)
    }
    run.command({ kind: 'forceWatermark', to: 9000 }, 9000)
    expect(run.watermark).toBe(9000)
  })

  test('is there after a restart too', () => {
    const run = new Run({ views })
    run.events({ ts: 500, at: 9000 })
    run.command({ kind: 'forceWatermark', to: 5000 }, 9000)
    run.restart()
    run.events({ ts: 4500 })
    expect([run.watermark, run.state.counts.late]).toEqual([5000, 1])
  })
})

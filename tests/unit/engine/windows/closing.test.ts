import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../../server/contracts/instant'
import type { PipelineSpec } from '../../../../server/contracts/pipelineSpec'
import { assignerOf } from '../../../../server/engine/windows/assigner'
import { Closing, type ClosingRule } from '../../../../server/engine/windows/closing'
import { Horizon } from '../../../../server/engine/windows/horizon'
import { KeyedWindow } from '../../../../server/engine/windows/keyedWindow'
import { Run, tumbling } from '../../../support/engine'

const of = { view: 'v', version: 1 }
let ordinals = 0

function windowOf(start: number, end: number, lateness = 0): KeyedWindow {
  return new KeyedWindow({ of, start, end, windowId: start, ordinal: ++ordinals, lateness })
}

/** Starts of the windows that are closed at `now`, in the order in which they are given. */
function closed(closing: Closing<KeyedWindow>, now: number): number[] {
  return closing.take(now).map((window) => window.start)
}

function closingOf(rule: ClosingRule, horizon: Horizon, ...windows: KeyedWindow[]): Closing<KeyedWindow> {
  const closing = new Closing<KeyedWindow>(rule, horizon, (window) => window.end - 1)
  for (const window of windows) closing.add(window)
  return closing
}

describe('a window of the base view', () => {
  const own = { kind: 'own' } as const

  test('closes when the watermark reaches its last instant and its L', () => {
    const closing = closingOf(own, new Horizon(10), windowOf(0, 100, 10))
    expect([closed(closing, 108), closed(closing, 109), closed(closing, 110)]).toEqual([[], [0], []])
  })

  test('closes by the L under which it was made, whatever L is now', () => {
    const horizon = new Horizon(10)
    const closing = closingOf(own, horizon, windowOf(0, 100, 10), windowOf(100, 200, 10))
    horizon.setLateness(1_000, 0)
    expect(closed(closing, 109)).toEqual([0])
    horizon.setLateness(0, 109)
    expect([closed(closing, 208), closed(closing, 209)]).toEqual([[], [100]])
  })

  test('that has grown since it was added waits for its new end', () => {
    const session = windowOf(0, 100)
    const closing = closingOf(own, new Horizon(0), session)
    session.end = 150
    expect([closed(closing, 120), closed(closing, 148), closed(closing, 149)]).toEqual([[], [], [0]])
  })

  test('closes by instant, and of two at once the one that was made first', () => {
    const [first, second] = [windowOf(0, 100), windowOf(50, 100)]
    const closing = closingOf(own, new Horizon(0), windowOf(200, 300), second, first, windowOf(10, 20))
    expect(closed(closing, 1_000)).toEqual([10, 0, 50, 200])
  })

  test('is not closed by a queue that was cleared', () => {
    const closing = closingOf(own, new Horizon(0), windowOf(0, 100))
    closing.clear()
    expect(closed(closing, 1_000)).toEqual([])
  })
})

describe('a window by journal time', () => {
  test('closes when journal time reaches its end, whatever L it was made under', () => {
    const closing = closingOf({ kind: 'journal' }, new Horizon(500), windowOf(0, 100, 500))
    expect([closed(closing, 98), closed(closing, 99)]).toEqual([[], [0]])
  })
})

describe('a window of another view', () => {
  /** A real base view of windows of 100 ms, and what a view beside it holds. */
  class Beside {
    readonly run: Run
    readonly closing: Closing<KeyedWindow>

    constructor(lateness: number, ...windows: KeyedWindow[]) {
      this.run = new Run({ allowedLateness: lateness, views: [{ id: 'm', window: tumbling(100) }] })
      const { base, horizon } = this.pipeline
      const assign = assignerOf(tumbling(100))
      this.closing = closingOf({ kind: 'byBase', base, assign }, horizon, ...windows)
    }

    get pipeline() {
      const { pipeline } = this.run.state
      if (!pipeline) throw new RangeError('no pipeline')
      return pipeline
    }

    setLateness(allowedLateness: number): void {
      this.run.command({ kind: 'changeSpec', spec: { ...this.pipeline.spec, allowedLateness } })
      expect(this.pipeline.horizon.lateness).toBe(allowedLateness)
    }

    /** Brings the watermark to `now`, and tells what closes. */
    closedAt(now: number): number[] {
      this.run.events({ ts: now + 1 })
      expect(this.run.watermark).toBe(now)
      return closed(this.closing, now)
    }
  }

  test('closes with the base window that holds its last instant', () => {
    const beside = new Beside(10, windowOf(50, 150), windowOf(0, 100), windowOf(0, 101))
    expect(beside.closedAt(108)).toEqual([])
    expect(beside.closedAt(109)).toEqual([0])
    expect(beside.closedAt(208)).toEqual([])
    expect(beside.closedAt(209)).toEqual([50, 0])
  })

  test('closes at the same moment whether its base windows were ever made or not', () => {
    for (const ts of [[], [20, 120]]) {
      const beside = new Beside(10, windowOf(0, 200))
      beside.run.oneByOne(...ts.map((ts) => ({ ts })))
      expect([beside.closedAt(208), beside.closedAt(209)]).toEqual([[], [0]])
    }
  })

  test('waits for a base window that was made under a larger L', () => {
    const late = windowOf(0, 100)
    const beside = new Beside(500, late)
    beside.run.events({ ts: 20 })
    beside.setLateness(0)
    beside.closing.clear()
    beside.closing.add(late)
    expect([beside.closedAt(598), beside.closedAt(599)]).toEqual([[], [0]])
  })

  test('waits for such a one that it overlaps with its first instant only, and for no other', () => {
    const [touching, behind] = [windowOf(99, 200), windowOf(100, 200)]
    const beside = new Beside(500)
    beside.run.events({ ts: 20 })
    beside.setLateness(0)
    for (const window of [touching, behind]) beside.closing.add(window)
    expect([beside.closedAt(199), beside.closedAt(598), beside.closedAt(599)]).toEqual([[100], [], [99]])
  })

  test('waits for such a one that it overlaps with its last instant only', () => {
    const beside = new Beside(500)
    beside.run.events({ ts: 20 })
    beside.setLateness(0)
    for (const window of [windowOf(-100, 1), windowOf(-100, 0)]) beside.closing.add(window)
    expect([beside.closedAt(200), beside.closedAt(598), beside.closedAt(599)]).toEqual([[-100], [], [-100]])
  })

  test('that has grown to the front waits for the base windows that it overlaps now, the last of them', () => {
    const session = windowOf(150, 200)
    const beside = new Beside(500)
    beside.run.events({ ts: 20 })
    beside.setLateness(300)
    beside.run.events({ ts: 120 })
    beside.setLateness(0)
    beside.closing.add(session)
    expect(beside.closedAt(300)).toEqual([])
    session.start = 50
    expect([beside.closedAt(499), beside.closedAt(598), beside.closedAt(599)]).toEqual([[], [], [50]])
  })

  test('that has grown to the back waits for a base window that nothing was counted in yet', () => {
    const session = windowOf(0, 100)
    const beside = new Beside(10, session)
    const { horizon } = beside.pipeline
    beside.run.events({ ts: 20 })
    beside.setLateness(0)
    horizon.follow(104)
    expect(closed(beside.closing, 104)).toEqual([])
    session.end = 250
    horizon.follow(298)
    expect(closed(beside.closing, 298)).toEqual([])
    horizon.follow(299)
    expect(closed(beside.closing, 299)).toEqual([0])
  })

  test('closes at the very watermark at which the last of its base windows does, whichever is asked first', () => {
    const hour = windowOf(0, 100)
    const beside = new Beside(10, hour)
    beside.run.events({ ts: 20 })
    beside.pipeline.horizon.follow(109)
    expect([closed(beside.closing, 108), closed(beside.closing, 109)]).toEqual([[], [0]])
  })

  test('stays open as long as an event could come by a base window that a raised L leaves open', () => {
    const beside = new Beside(0, windowOf(0, 100))
    beside.setLateness(50)
    expect([beside.closedAt(100), beside.closedAt(148), beside.closedAt(149)]).toEqual([[], [], [0]])
  })

  test('closes with its base windows, though L was raised after they were made', () => {
    const hour = windowOf(0, 200)
    const beside = new Beside(10, hour)
    beside.run.events({ ts: 150 })
    beside.setLateness(100)
    beside.closing.clear()
    beside.closing.add(hour)
    expect([beside.closedAt(208), beside.closedAt(209)]).toEqual([[], [0]])
  })

  test('closes at the end of time', () => {
    const beside = new Beside(10, windowOf(0, 200))
    beside.run.end()
    expect(closed(beside.closing, Number.POSITIVE_INFINITY)).toEqual([0])
  })
})

describe('a sliding base whose windows were made under a larger L', () => {
  const window = { kind: 'sliding', size: 100, slide: 50 } as const

  /** Its windows [-50, 50) and [0, 100) close at 549 and 599; those made from now on at once. */
  function begun(): Run {
    const run = new Run({ allowedLateness: 500, views: [{ id: 'base', window }] })
    run.events({ ts: 20 })
    const spec = run.state.pipeline?.spec
    run.command({ kind: 'changeSpec', spec: { ...spec, allowedLateness: 0 } as PipelineSpec })
    return run
  }

  test('tells how long those are open that a span overlaps, the latest of them', () => {
    const base = begun().state.pipeline?.base
    const spans = [
      [0, 99],
      [-100, -51],
      [-100, 0],
      [49, 49],
      [50, 99],
      [100, 199],
    ] as const
    const none = MIN_INSTANT
    expect(spans.map(([from, to]) => base?.closesLatest(from, to))).toEqual([599, none, 599, 599, 599, none])
    expect(base?.closesLatest(-50, -1)).toBe(549)
  })

  test('tells where the first window begins that is not closed: before it nothing can be counted', () => {
    const run = begun()
    const first = () => run.state.pipeline?.base.firstStart()
    run.events({ ts: 301 })
    expect(first()).toBe(-50)
    run.events({ ts: 551 })
    expect(first()).toBe(0)
    run.events({ ts: 601 })
    expect(first()).toBe(550)
  })

  test('counts an event in those of its windows that are open still, and tells which it missed', () => {
    const run = begun()
    run.events({ ts: 301 })
    expect(run.watermark).toBe(300)
    expect(run.events({ ts: 30 })).toMatchObject({ late: [], missed: [] })
    expect(run.events({ ts: 60 }).missed).toMatchObject([{ windows: 1, firstStart: 50, lastEnd: 150 }])
    expect(run.events({ ts: 110 }).late).toMatchObject([{ windowStart: 100 }])
    expect([run.row('base', -50)?.events, run.row('base', 0)?.events]).toEqual([2, 3])
  })
})

describe('windows of a view that has the same as a sliding base', () => {
  test('are closed when those of the base are: no event is counted in one and missed in the other', () => {
    const window = { kind: 'sliding', size: 100, slide: 50 } as const
    const run = new Run({
      views: [
        { id: 'base', window },
        { id: 'twin', window, groupBy: ['region'] },
      ],
    })
    run.oneByOne({ ts: 1_200 }, { ts: 1_160 })
    expect(run.missed).toMatchObject([{ view: 'base', windows: 1, firstStart: 1_100, lastEnd: 1_200 }])
    expect(run.row('twin', 1_150, '["USD",null]')?.events).toBe(2)
    expect(run.row('base', 1_100)).toBeUndefined()
    expect(run.row('twin', 1_100, '["USD",null]')).toBeUndefined()
  })
})

import { describe, expect, test } from 'vitest'
import { inForce } from '../../../support/anyProgram'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

function setLateness(run: Run, allowedLateness: number): void {
  const { command } = run.command({ kind: 'changeSpec', spec: { ...inForce(run), allowedLateness } })
  expect(command?.refused).toBeNull()
}
const hundreds = [{ id: 'm', window: tumbling(100) }]
const counts = (run: Run) => {
  const { inTime, corrected, late } = run.state.counts
  return [inTime, corrected, late]
}

/** Windows of 100 with an L of 1,000; the watermark is at 1,499 and [500, 600) and [1500, 1600) are there. */
function begun(over: SpecInput = {}): Run {
  const run = new Run({ views: hundreds, allowedLateness: 1000, ...over })
  run.oneByOne({ ts: 550 }, { ts: 1500 })
  return run
}

describe('a smaller L', () => {
  test('is one for windows not yet made: those that are keep theirs', () => {
    const run = begun()
    setLateness(run, 0)
    run.oneByOne({ ts: 560 }, { ts: 650 })
    expect(counts(run)).toEqual([2, 1, 1])
    expect(run.late).toMatchObject([{ windowStart: 600, watermark: 1499, lateBy: 800 }])
    run.events({ ts: 1599 })
    expect(run.closed.map((w) => w.windowId)).toEqual([])
    run.events({ ts: 1600 })
    expect(run.closed.map((w) => w.windowId)).toEqual([500])
  })

  test('closes a window made under it at its own time, though an older one before it is still open', () => {
    const run = begun()
    setLateness(run, 0)
    run.events({ ts: 1570 }, { ts: 1700 })
    run.events({ ts: 1800 })
    expect(run.closed.map((w) => w.windowId)).toEqual([500, 1700])
    run.events({ ts: 1580 }, { ts: 1750 })
    expect([run.row('m', 1500)?.events, run.late.map((l) => l.windowStart)]).toEqual([3, [1700]])
  })

  test('closes what was never made and lies before a window that closed', () => {
    const run = begun()
    setLateness(run, 0)
    run.events({ ts: 1700 })
    run.events({ ts: 1800 })
    setLateness(run, 5000)
    run.events({ ts: 1650 })
    expect(run.late).toMatchObject([{ windowStart: 1600 }])
  })
})

describe('a larger L', () => {
  test('opens no closed window again, nor what was too late before', () => {
    const run = new Run({ views: hundreds })
    run.oneByOne({ ts: 550 }, { ts: 1500 })
    expect(run.row('m', 500)?.status).toBe('closed')
    setLateness(run, 100_000)
    run.oneByOne({ ts: 560 }, { ts: 1450 })
    expect([counts(run), run.row('m', 500)]).toEqual([
      [2, 0, 2],
      expect.objectContaining({ revision: 1, events: 1 }),
    ])
  })

  test('holds for the windows made after it, and the open ones keep theirs', () => {
    const run = new Run({ views: hundreds })
    run.events({ ts: 1550 })
    setLateness(run, 1000)
    run.events({ ts: 1650 })
    expect(run.row('m', 1500)?.status).toBe('closed')
    run.events({ ts: 2698 })
    run.events({ ts: 1640 })
    expect(run.row('m', 1600)).toMatchObject({ status: 'fired', revision: 2, events: 2 })
    run.events({ ts: 2700 })
    expect(run.row('m', 1600)?.status).toBe('closed')
  })

  test('says how late an event is by the L in force', () => {
    const run = new Run({ views: hundreds })
    run.oneByOne({ ts: 550 }, { ts: 1500 })
    setLateness(run, 400)
    run.events({ ts: 560 })
    expect(run.late).toMatchObject([{ windowStart: 500, windowEnd: 600, lateBy: 1499 - (599 + 400) }])
    setLateness(run, 100_000)
    run.events({ ts: 570 })
    expect(run.late[1]?.lateBy).toBe(0)
  })
})

describe('an hour', () => {
  const views = [{ id: 'h', window: tumbling(1000) }, ...hundreds]

  test('closes when its last minute would, and with it every minute has closed', () => {
    const run = new Run({ views, allowedLateness: 50 })
    run.oneByOne({ ts: 150 }, { ts: 1049 })
    expect(run.closed.map((w) => `${w.view}@${w.windowId}`)).toEqual(['m@100'])
    run.events({ ts: 1050 })
    expect(run.closed.map((w) => `${w.view}@${w.windowId}`)).toEqual(['m@100', 'h@0'])
  })

  test('waits for a minute that was made under a larger L', () => {
    const run = new Run({ views, allowedLateness: 1000 })
    run.events({ ts: 950 })
    setLateness(run, 0)
    run.events({ ts: 1998 })
    expect(run.row('h', 0)?.status).toBe('fired')
    run.events({ ts: 960 })
    expect([run.row('m', 900)?.events, run.row('h', 0)?.events]).toEqual([2, 2])
    run.events({ ts: 2000 })
    expect([run.row('m', 900)?.status, run.row('h', 0)?.status]).toEqual(['closed', 'closed'])
  })

  test('with all its minutes past the horizon is closed when L falls, at the change itself', () => {
    const run = new Run({ views, allowedLateness: 900 })
    run.oneByOne({ ts: 50 }, { ts: 1500 })
    expect(run.closed.map((w) => w.view)).toEqual(['m'])
    const { command, closed } = run.command({
      kind: 'changeSpec',
      spec: { ...inForce(run), allowedLateness: 100 },
    })
    expect([command?.refused, closed]).toEqual([null, [{ view: 'h', version: 1, windowId: 0 }]])
  })

  test('stays open while a minute of it may still be made', () => {
    const run = new Run({ views, allowedLateness: 900 })
    run.oneByOne({ ts: 50 }, { ts: 1500 })
    setLateness(run, 600)
    expect(run.row('h', 0)?.status).toBe('fired')
    run.events({ ts: 950 }, { ts: 850 })
    expect([counts(run), run.row('h', 0)?.events]).toEqual([[2, 1, 1], 2])
  })
})

describe('B and L', () => {
  test('add up, and neither is taken from the other', () => {
    const run = new Run({ views: hundreds, strategy: { kind: 'bounded', bound: 30 }, allowedLateness: 50 })
    run.oneByOne({ ts: 50 }, { ts: 129 }, { ts: 60 }, { ts: 130 }, { ts: 70 }, { ts: 179 }, { ts: 80 })
    expect(counts(run)).toEqual([5, 2, 0])
    run.oneByOne({ ts: 180 }, { ts: 90 })
    expect(counts(run)).toEqual([6, 2, 1])
  })
})

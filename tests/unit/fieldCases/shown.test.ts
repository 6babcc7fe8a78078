import { describe, expect, test } from 'vitest'
import { touchedRows } from '../../support/anyProgram'
import { Run, type SpecInput, tumbling } from '../../support/engine'

const HOUR = 3_600_000

describe('18. "it hangs for a day"', () => {
  test('every window that is held says when it fires and closes, and does so at that watermark and not before', () => {
    const views: SpecInput['views'] = [
      { id: 'm', window: tumbling(100) },
      { id: 'h', window: tumbling(400) },
      { id: 'c', window: { kind: 'cumulate', step: 100, within: tumbling(400) } },
    ]
    const run = new Run({ views, allowedLateness: 70 })
    run.events({ ts: 30 }, { ts: 40 })
    const held = (run.state.pipeline?.views ?? []).flatMap((view) => [...view.windows()])
    const promised = held.map((w) => ({
      row: `${w.of.view}@${w.windowId}`,
      fires: w.end - 1,
      closes: w.closesAt,
    }))
    expect(promised.length).toBe(6)
    for (let ts = 41; ts < 600; ts++) {
      run.events({ ts })
      for (const { row, fires, closes } of promised) {
        const status = run.rows.get(`${row} ["USD"]`)?.status ?? 'open'
        const due = run.watermark >= closes ? 'closed' : run.watermark >= fires ? 'fired' : 'open'
        expect([row, run.watermark, status]).toEqual([row, run.watermark, due])
      }
    }
  })
})

describe('29. "data only appears after 20 minutes"', () => {
  test('an open window shows its running total with the first event, with start and end, in every view', () => {
    const views: SpecInput['views'] = [
      { id: 'm', window: tumbling(HOUR / 4) },
      { id: 'd', window: { kind: 'calendar', unit: 'day', zone: 'UTC' } },
      { id: 's', window: { kind: 'sliding', size: 2 * HOUR, slide: HOUR } },
      { id: 'c', window: { kind: 'cumulate', step: HOUR, within: tumbling(6 * HOUR) } },
      { id: 'u', window: { kind: 'session', gap: 60_000 } },
      { id: 'j', window: tumbling(HOUR), time: 'journal' },
    ]
    const run = new Run({ views })
    for (const events of [1, 2, 3]) {
      const rows = touchedRows(run.events({ ts: HOUR + 5, at: 5, amount: '2.50' })).map(({ row }) => row)
      expect(rows.map((row) => [row.view, row.start, row.end, row.status, row.values.events])).toEqual([
        ['m', HOUR, 1.25 * HOUR, 'open', events],
        ['d', 0, 24 * HOUR, 'open', events],
        ['s', 0, 2 * HOUR, 'open', events],
        ['c', 0, 2 * HOUR, 'open', events],
        ['u', HOUR + 5, HOUR + 60_005, 'open', events],
        ['j', 0, HOUR, 'open', events],
      ])
    }
  })
})

describe('22. a result older than the watermark leaves an operator', () => {
  test('each carries the watermark under which it was made: firings at their end, corrections before the close', () => {
    const run = new Run({ views: [{ id: 'm', window: tumbling(100) }], allowedLateness: 50 })
    const times = [10, 120, 30, 131, 40, 210, 150, 249, 160, 260, 170, 420]
    run.events(...times.map((ts) => ({ ts })))
    expect(run.revisions.map((r) => [r.kind, r.start, r.watermark])).toEqual([
      ['on-time', 0, 119],
      ['on-time', 100, 209],
      ['on-time', 200, 419],
      ['correction', 0, 130],
      ['correction', 100, 248],
    ])
    expect(run.late.map((l) => [l.windowStart, l.watermark])).toEqual([[100, 259]])
  })
})

describe('27. sliding windows and lateness', () => {
  test('an event that misses one window and lands in another: both facts are told', () => {
    const run = new Run({ views: [{ id: 's', window: { kind: 'sliding', size: 20, slide: 10 } }] })
    run.oneByOne({ ts: 5, id: 'first' }, { ts: 20, id: 'next' })
    const outcome = run.events({ ts: 15, id: 'x', amount: '7' })
    expect(outcome.missed).toEqual([
      { row: 0, view: 's', windows: 1, firstStart: 0, lastEnd: 20, watermark: 19 },
    ])
    expect([run.state.counts.inTime, run.state.counts.late]).toEqual([3, 0])
    expect([run.row('s', 0)?.events, run.row('s', 10)]).toEqual([
      1,
      expect.objectContaining({ events: 2, net: '8.0000', status: 'open' }),
    ])
  })
})

describe('20. the business day', () => {
  const days = (zone: string, instants: number[]) => {
    const run = new Run({ views: [{ id: 'd', window: { kind: 'calendar', unit: 'day', zone } }] })
    run.oneByOne(...instants.map((ts) => ({ ts })))
    return [...run.rows.values()].map((row) => [row.start, row.end, row.events])
  }

  test('in Berlin 2026-10-25 has 25 hours and 2026-03-29 has 23', () => {
    const autumn = [1_792_879_200_000, 1_792_969_199_999, 1_792_969_200_000]
    expect(days('Europe/Berlin', autumn)[0]).toEqual([1_792_879_200_000, 1_792_969_200_000, 2])
    expect(days('Europe/Berlin', autumn).length).toBe(2)
    const spring = Date.parse('2026-03-28T23:00:00Z')
    expect(days('Europe/Berlin', [spring, spring + 23 * HOUR - 1])).toEqual([[spring, spring + 23 * HOUR, 2]])
  })

  test('in Shanghai begins at 16:00 UTC', () => {
    const start = Date.parse('2026-06-01T16:00:00Z')
    expect(days('Asia/Shanghai', [start - 1, start])).toEqual([
      [start - 24 * HOUR, start, 1],
      [start, start + 24 * HOUR, 1],
    ])
  })
})

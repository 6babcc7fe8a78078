import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../server/contracts/instant'
import { Run, type SpecInput, tumbling } from '../../support/engine'

const minute: SpecInput['views'] = [{ id: 'm', window: tumbling(60_000) }]

describe('3. a silent source holds everything', () => {
  const sources = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
  const spoken = (idleTimeout: number | null) => {
    const run = new Run({ views: minute, sources, idleTimeout })
    for (let at = 0; at <= 30_000; at += 1_000) {
      run.events({ ts: at * 2, source: 'a', at }, { ts: at * 2 + 400, source: 'b', at })
    }
    return run
  }

  test('without idleness nothing fires, and the one that holds is known by name', () => {
    const run = spoken(null)
    run.tick(86_400_000)
    expect([run.watermark, run.revisions]).toEqual([MIN_INSTANT, []])
    const holding = [...run.state.clock.sources.values()].filter(
      (s) => !s.idle && s.watermark <= run.watermark,
    )
    expect(holding.map((s) => [s.name, s.lastRecordAt])).toEqual([['c', null]])
  })

  test('with 30 s it is idle after 30 s from the start, and [0, 60000) fires without it', () => {
    const run = spoken(30_000)
    run.tick(30_000)
    expect(run.revisions).toEqual([])
    run.tick(30_001)
    expect(run.revisions).toMatchObject([{ start: 0, end: 60_000, kind: 'on-time', at: 30_001 }])
    expect(run.row('m', 0)?.leftOut).toEqual(['c'])
  })
})

describe('5. all idle: the answer depended on who slept first', () => {
  test.each([
    ['the one at 5', 0, 3],
    ['the one at 4', 3, 0],
    ['both at once', 0, 0],
  ])('watermarks of 5 and 4 make 5, also when %s sleeps first', (_, five, four) => {
    const run = new Run({ idleTimeout: 10 })
    const events = [
      { ts: 6, source: 'five', at: five },
      { ts: 5, source: 'four', at: four },
    ]
    run.oneByOne(...events.sort((a, b) => a.at - b.at))
    for (let at = 4; at <= 20; at++) run.tick(at)
    expect([run.watermark, run.state.clock.idleSources().sort()]).toEqual([5, ['five', 'four']])
  })
})

describe('6. everything quiet: the last window never closes', () => {
  const quiet = (over: SpecInput = {}) => {
    const run = new Run({ views: minute, allowedLateness: 5_000, ...over })
    run.oneByOne({ ts: 0, at: 0 }, { ts: 10, at: 10 }, { ts: 20, at: 20 })
    run.tick(86_400_000)
    return run
  }

  test('it is shown as open with its total, and what is held says when it fires and closes', () => {
    const run = quiet()
    expect(run.row('m', 0)).toMatchObject({ status: 'open', net: '3.0000', events: 3 })
    const windows = [...(run.state.pipeline?.base.windows() ?? [])]
    expect(windows.map((w) => [w.end, w.closesAt])).toEqual([[60_000, 59_999 + 5_000]])
  })

  test('closeByInactivity closes it, flagged, and it can still be corrected', () => {
    const run = quiet({ closeByInactivity: 60_000 })
    expect(run.revisions).toMatchObject([{ kind: 'inactivity', after: { net: '3.0000' } }])
    expect(run.row('m', 0)).toMatchObject({ status: 'fired', byInactivity: true })
    run.events({ ts: 30, at: 86_400_001 })
    expect(run.revisions[1]).toMatchObject({
      kind: 'correction',
      deltaNet: '1.0000',
      after: { net: '4.0000' },
    })
    expect(run.row('m', 0)?.byInactivity).toBe(true)
  })
})

describe('26. after a back-fill nothing fires until live data comes', () => {
  test('at its end, what is complete fires, and what came of it is final', () => {
    const run = new Run({ views: minute, idleTimeout: null, allowedLateness: 600_000 })
    const history = Array.from({ length: 100 }, (_, i) => ({
      ts: i * 3_000,
      source: `file${i % 3}`,
      at: 9_000_000,
    }))
    run.events(...history)
    run.end()
    expect(run.revisions.map((r) => [r.start, r.kind, r.after.events])).toEqual(
      [0, 1, 2, 3, 4].map((i) => [i * 60_000, 'on-time', 20]),
    )
    expect([...run.rows.values()].every((row) => row.status === 'closed')).toBe(true)
  })
})

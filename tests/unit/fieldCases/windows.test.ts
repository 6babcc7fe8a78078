import { describe, expect, test } from 'vitest'
import { Run, tumbling } from '../../support/engine'

const minute = [{ id: 'm', window: tumbling(60_000) }]

describe('14. late rows dropped without a trace', () => {
  test('a late row is kept with window, W, how late, source and position, and the identity holds', () => {
    const run = new Run({ views: minute, strategy: { kind: 'bounded', bound: 5000 } })
    const outcomes = run.oneByOne(
      { ts: 59_000 },
      { ts: 66_000 },
      { ts: 58_000, id: 'lost', source: 'pos-1', at: 70_000 },
    )
    expect(run.late).toEqual([
      { id: 'lost', row: 0, windowStart: 0, windowEnd: 60_000, watermark: 60_999, lateBy: 1_000 },
    ])
    expect(outcomes.map((o) => o.late.length)).toEqual([0, 0, 1])
    expect(run.state.position).toBe(4)
    expect(run.state.countsBySource.get('pos-1')).toMatchObject({ received: 1, late: 1 })
    expect(run.state.counts).toMatchObject({ received: 3, inTime: 2, late: 1 })
    expect(run.row('m', 0)).toMatchObject({ events: 1, revision: 1 })
  })
})

describe('16. a correction counted twice', () => {
  test('a late event makes revision 2 of the one row, with total 3 and +1 beside it', () => {
    const run = new Run({ views: [{ id: 's', window: tumbling(2000) }], allowedLateness: 10_000 })
    run.oneByOne({ ts: 500 }, { ts: 1300 }, { ts: 2000 }, { ts: 1997 })
    expect(run.revisions.map((r) => [r.kind, r.revision, r.after.net, r.deltaNet])).toEqual([
      ['on-time', 1, '2.0000', '2.0000'],
      ['correction', 2, '3.0000', '1.0000'],
    ])
    expect([...run.rows.values()].filter((row) => row.start === 0)).toMatchObject([
      { net: '3.0000', revision: 2 },
    ])
  })
})

describe('19. negative timestamps', () => {
  test('ts -12001 with windows of 5000 is counted in [-15000, -10000)', () => {
    const run = new Run({ views: [{ id: 'v', window: tumbling(5000) }] })
    run.oneByOne({ ts: -12_001 }, { ts: -10_001 })
    expect(run.row('v', -15_000)).toMatchObject({ end: -10_000, events: 2, status: 'open' })
    run.events({ ts: -10_000 })
    expect(run.revisions).toMatchObject([{ start: -15_000, end: -10_000, watermark: -10_001 }])
  })
})

describe('24. a rare key never closes', () => {
  test('a key that appears once fires and closes with the others of its source', () => {
    const run = new Run({ views: [{ id: 'm', window: tumbling(60_000), groupBy: ['k'] }] })
    run.oneByOne({ ts: 1_000, dims: { k: 'rare' } }, { ts: 2_000, dims: { k: 'often' } })
    run.oneByOne({ ts: 30_000, dims: { k: 'often' } }, { ts: 60_000, dims: { k: 'often' } })
    for (const key of ['rare', 'often']) {
      expect(run.row('m', 0, `["USD","${key}"]`)).toMatchObject({ status: 'closed', revision: 1 })
    }
    expect([...(run.state.pipeline?.base.windows() ?? [])].map((window) => window.start)).toEqual([60_000])
  })
})

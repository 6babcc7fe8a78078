import { describe, expect, test } from 'vitest'
import type { Revision } from '../../../../server/contracts/windowRow'
import { type Ev, Run, type SpecInput, tumbling } from '../../../support/engine'

const BOUND = 1_000
const session = { id: 's', window: { kind: 'session' as const, gap: 100 }, groupBy: ['shop'] }

/** Sessions of shop `x` with a gap of 100; the watermark follows shop `push`, which is far ahead. */
class Shop {
  readonly run: Run

  constructor(allowedLateness = 0, over: SpecInput = {}) {
    const strategy = { kind: 'bounded', bound: BOUND } as const
    this.run = new Run({ strategy, allowedLateness, views: [session], ...over })
  }

  /** Orders at these times, each a record of its own. Their ids and orders are `e0`, `e1` … */
  at(...events: (number | Partial<Ev>)[]): this {
    for (const e of events) {
      this.run.events({ ts: 0, dims: { shop: 'x' }, ...(typeof e === 'number' ? { ts: e } : e) })
    }
    return this
  }

  push(watermark: number): this {
    this.run.events({ ts: watermark + BOUND + 1, dims: { shop: 'push' } })
    expect(this.run.watermark).toBe(watermark)
    return this
  }

  /** Session number `n` of the shop, in short. */
  session(n: number) {
    const row = this.run.row('s', n, '["USD","x"]')
    return row && `${row.status} [${row.start}, ${row.end}) ${row.events} events, revision ${row.revision}`
  }

  /** Revisions of the shop: number of the session, kind, events before and after. */
  get revisions(): string[] {
    const before = (r: Revision) => r.before?.events ?? '-'
    const mine = this.run.revisions.filter((r) => r.dims[0] === 'x')
    return mine.map((r) => `${r.windowId} ${r.kind} ${before(r)} → ${r.after.events}`)
  }

  get outcomes() {
    const { inTime, corrected, late, duplicate } = this.run.state.counts
    return { inTime, corrected, late, duplicate }
  }
}

describe('sessions that are open', () => {
  test('take in an event that overlaps or touches them, at either end, and are updated in place', () => {
    expect(new Shop().at(0, 100).session(1)).toBe('open [0, 200) 2 events, revision 0')
    expect(new Shop().at(0, -100).session(1)).toBe('open [-100, 100) 2 events, revision 0')
    const apart = new Shop().at(0, 101)
    expect([apart.session(1), apart.session(2)]).toEqual([
      'open [0, 100) 1 events, revision 0',
      'open [101, 201) 1 events, revision 0',
    ])
  })

  test('are one when an event joins them: the lower number stays, the other vanishes without a revision', () => {
    const shop = new Shop().at(150, 0, 80)
    expect([shop.session(1), shop.session(2), shop.revisions]).toEqual([
      'open [0, 250) 3 events, revision 0',
      'superseded [0, 100) 0 events, revision 0',
      [],
    ])
    expect(shop.push(249).session(1)).toBe('closed [0, 250) 3 events, revision 1')
    expect(shop.revisions).toEqual(['1 on-time - → 3'])
  })

  test('are none that begin when the watermark has reached their last instant: those are fired at once', () => {
    const before = new Shop(1_000).push(98).at(0)
    expect([before.session(2), before.revisions]).toEqual(['open [0, 100) 1 events, revision 0', []])
    const reached = new Shop(1_000).push(99).at(0)
    expect(reached.session(2)).toBe('fired [0, 100) 1 events, revision 1')
    expect(reached.revisions).toEqual(['2 correction - → 1'])
  })

  test('are those of a key: other keys do not join them, and numbers count over all', () => {
    const shop = new Shop().at(0, { ts: 10, dims: { shop: 'y' } }, { ts: 20, currency: 'EUR' }, 50)
    expect(shop.session(1)).toBe('open [0, 150) 2 events, revision 0')
    expect(shop.run.row('s', 2, '["USD","y"]')?.events).toBe(1)
    expect(shop.run.row('s', 3, '["EUR","x"]')?.events).toBe(1)
  })

  test('count an order once that was in both of those that joined', () => {
    const shop = new Shop().at({ ts: 0, order: 'o' }, { ts: 150, order: 'o' }, { ts: 80, order: 'p' })
    expect(shop.run.row('s', 1, '["USD","x"]')).toMatchObject({ orders: 2, events: 3, gross: '3.0000' })
  })
})

describe('a session that fired', () => {
  test('is corrected in place when what it grows to has fired too', () => {
    const shop = new Shop(500).at(0).push(250).at(50)
    expect(shop.session(1)).toBe('fired [0, 150) 2 events, revision 2')
    expect(shop.revisions).toEqual(['1 on-time - → 1', '1 correction 1 → 2'])
    expect(shop.outcomes).toMatchObject({ corrected: 1, late: 0 })
  })

  test('is superseded when what it grows to has not fired: a new number takes its place until its end', () => {
    const shop = new Shop(500).at(0).push(99).at(100)
    expect([shop.session(1), shop.session(3)]).toEqual([
      'superseded [0, 100) 0 events, revision 2',
      'open [0, 200) 2 events, revision 0',
    ])
    expect(shop.outcomes.corrected).toBe(1)
    expect(shop.push(199).session(3)).toBe('fired [0, 200) 2 events, revision 1')
    expect(shop.revisions).toEqual(['1 on-time - → 1', '1 superseded 1 → 0', '3 on-time - → 2'])
  })

  test('keeps the lowest number of two that are joined after the end of both; the other is superseded', () => {
    const shop = new Shop(500).at(0, 150).push(400).at(90)
    expect([shop.session(1), shop.session(2)]).toEqual([
      'fired [0, 250) 3 events, revision 2',
      'superseded [150, 250) 0 events, revision 2',
    ])
    expect(shop.revisions.slice(2)).toEqual(['2 superseded 1 → 0', '1 correction 1 → 3'])
  })

  test('is superseded with an open one that it is joined to, of which nothing was published', () => {
    const shop = new Shop(500).at(0, 150).push(99).at(80)
    expect([1, 2, 4].map((n) => shop.session(n))).toEqual([
      'superseded [0, 100) 0 events, revision 2',
      'superseded [150, 250) 0 events, revision 0',
      'open [0, 250) 3 events, revision 0',
    ])
    expect(shop.revisions).toEqual(['1 on-time - → 1', '1 superseded 1 → 0'])
  })

  test('may be born so: its first publication is a correction from zero', () => {
    const shop = new Shop(500).push(120).at(0)
    expect([shop.session(2), shop.revisions, shop.outcomes.corrected]).toEqual([
      'fired [0, 100) 1 events, revision 1',
      ['2 correction - → 1'],
      1,
    ])
  })
})

describe('a session that closed', () => {
  test('is not merged again: what touches it is a session of its own', () => {
    const shop = new Shop().at(0).push(99).at(100)
    expect([shop.session(1), shop.session(3)]).toEqual([
      'closed [0, 100) 1 events, revision 1',
      'open [100, 200) 1 events, revision 0',
    ])
  })

  test('makes an event late whose own session would be closed, and no other', () => {
    const shop = new Shop().push(99).at(0, 1)
    expect(shop.run.late).toMatchObject([{ id: 'e1', windowStart: 0, windowEnd: 100, lateBy: 0 }])
    expect(shop.session(2)).toBe('open [1, 101) 1 events, revision 0')
  })

  test('does not make an event late that joins a live one, however old it is', () => {
    const shop = new Shop().at(50, 100).push(150).at(20)
    expect([shop.session(1), shop.outcomes.late]).toEqual(['open [20, 200) 3 events, revision 0', 0])
  })

  test('closes by the largest L of those that it came from', () => {
    const shop = new Shop(500).at(0)
    shop.run.command({ kind: 'changeSpec', spec: { ...shop.run.spec, allowedLateness: 0 } })
    shop.at(150, 80)
    expect(shop.push(748).session(1)).toBe('fired [0, 250) 3 events, revision 1')
    expect(shop.push(749).session(1)).toBe('closed [0, 250) 3 events, revision 1')
  })

  test('had its ids known until then, those too of sessions that it took in', () => {
    const shop = new Shop(500).at({ ts: 0, id: 'p' }, { ts: 150, id: 'q' }, 80)
    shop.push(748).at({ ts: 0, id: 'p' }, { ts: 150, id: 'q' })
    expect(shop.outcomes.duplicate).toBe(2)
    shop.push(749).at({ ts: 0, id: 'p' }, { ts: 150, id: 'q' })
    expect(shop.outcomes).toMatchObject({ duplicate: 2, late: 2 })
    // Only what was pushed with is live.
    expect(shop.run.state.pipeline?.ids.size).toBe(2)
  })
})

describe('sessions beside a tumbling base', () => {
  test('close with the base window of their end, which an event could still touch', () => {
    const views = [{ id: 'm', window: tumbling(100) }, session]
    const shop = new Shop(0, { views }).at(-1, 0)
    shop.push(99)
    expect(shop.session(1)).toBe('fired [-1, 100) 2 events, revision 1')
    expect(shop.push(198).session(1)).toBe('fired [-1, 100) 2 events, revision 1')
    expect(shop.push(199).session(1)).toBe('closed [-1, 100) 2 events, revision 1')
    const before = new Shop(0, { views }).at(-1)
    expect(before.push(99).session(1)).toBe('closed [-1, 99) 1 events, revision 1')
  })
})

describe('a restart', () => {
  test('after each event changes nothing of what sessions become', () => {
    const play = (restarts: boolean) => {
      const shop = new Shop(300)
      const steps = [0, 150, 'push 99', 80, 'push 260', 10, 400, 'push 499', 500, 'push 1200'] as const
      for (const step of steps) {
        if (typeof step === 'number') shop.at(step)
        else shop.push(Number(step.split(' ')[1]))
        if (restarts) shop.run.restart()
      }
      return {
        revisions: shop.run.revisions,
        rows: [...shop.run.rows.values()],
        counts: shop.run.state.counts,
      }
    }
    expect(play(true)).toEqual(play(false))
  })
})

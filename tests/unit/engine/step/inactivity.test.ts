import { describe, expect, test } from 'vitest'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

/** Silent after 100; one event of 10 in [0, 1000), the watermark at 499. */
function begun(over: SpecInput = {}): Run {
  const run = new Run({ closeByInactivity: 100, allowedLateness: 5000, ...over })
  run.events({ ts: 500, at: 0, amount: '10', id: 'first' })
  return run
}
const kinds = (run: Run) => run.revisions.map((r) => `${r.kind} ${r.revision}`)

describe('after a silence of everybody', () => {
  test('every window that holds an event fires, strictly after the time, and the watermark stays', () => {
    const run = begun()
    run.tick(100)
    expect(run.revisions).toEqual([])
    run.tick(101)
    expect(run.revisions).toMatchObject([
      { kind: 'inactivity', revision: 1, start: 0, at: 101, watermark: 499, eventCount: 1 },
    ])
    expect(run.row('m', 0)).toMatchObject({
      status: 'fired',
      byInactivity: true,
      leftOut: [],
      net: '10.0000',
    })
    expect([run.watermark, run.closed]).toEqual([499, []])
  })

  test('they fire in the order of views, then of ends; those by journal time have their own', () => {
    const views = [
      { id: 'j', window: tumbling(100_000), time: 'journal' as const },
      { id: 'h', window: tumbling(4000) },
      { id: 'm', window: tumbling(1000) },
    ]
    const run = new Run({ views, closeByInactivity: 100, strategy: { kind: 'bounded', bound: 9000 } })
    run.events({ ts: 5500, at: 0 }, { ts: 500, at: 0 }, { ts: 4500, at: 0 })
    run.tick(101)
    expect(run.revisions.map((r) => [r.view, r.start])).toEqual([
      ['h', 0],
      ['h', 4000],
      ['m', 0],
      ['m', 4000],
      ['m', 5000],
    ])
  })

  test('of one source alone nothing fires: another that speaks, repeats itself or marks breaks it', () => {
    const run = begun()
    run.events({ ts: 600, source: 'b', at: 60, id: 'x' })
    run.events({ ts: 600, source: 'b', at: 120, id: 'x' })
    run.mark('b', 1, 200)
    run.tick(300)
    expect(run.revisions).toEqual([])
    run.tick(301)
    expect(kinds(run)).toEqual(['inactivity 1'])
  })

  test('quarantined events break none', () => {
    const run = begun()
    run.reject('a', 90)
    run.tick(101)
    expect(kinds(run)).toEqual(['inactivity 1'])
  })

  test('before anybody spoke it runs from the first record on', () => {
    const run = new Run({ closeByInactivity: 100 }, 1000)
    run.tick(1100)
    run.events({ ts: 500, at: 1101 })
    expect(run.revisions).toEqual([])
  })

  test('who is idle by then is left out, and idleness is looked at first', () => {
    const run = begun({ idleTimeout: 50, sources: [{ name: 'a' }, { name: 'z' }] })
    run.tick(101)
    expect(run.row('m', 0)).toMatchObject({ byInactivity: true, leftOut: ['a', 'z'] })
    const fires = new Run({
      idleTimeout: 100,
      closeByInactivity: 100,
      sources: [{ name: 'a' }, { name: 'z' }],
    })
    fires.events({ ts: 500, at: 0 }, { ts: 1000, at: 0 })
    fires.tick(101)
    expect(fires.revisions.map((r) => [r.kind, r.start])).toEqual([
      ['on-time', 0],
      ['inactivity', 1000],
    ])
  })

  test('it is seen at the next event as well, before that event counts', () => {
    const run = begun()
    run.events({ ts: 600, at: 300, id: 'x' })
    expect(run.revisions.map((r) => [r.kind, r.after.events, r.at])).toEqual([
      ['inactivity', 1, 300],
      ['correction', 2, 300],
    ])
  })
})

describe('a window that inactivity fired', () => {
  test('is corrected by what still comes, though the watermark is not there', () => {
    const run = begun()
    run.tick(101)
    run.events({ ts: 600, amount: '5', at: 110, id: 'x' }, { ts: 610, amount: '1', at: 111, id: 'y' })
    expect(run.state.counts).toMatchObject({ inTime: 1, corrected: 2 })
    expect(run.revisions[1]).toMatchObject({
      kind: 'correction',
      revision: 2,
      deltaNet: '6.0000',
      eventIds: ['x', 'y'],
    })
    expect(run.row('m', 0)).toMatchObject({ byInactivity: true, net: '16.0000' })
  })

  test('loses the flag when the watermark gets there, without a revision where nothing changed', () => {
    const run = begun()
    run.tick(101)
    run.events({ ts: 1000, at: 110 })
    expect([kinds(run), run.row('m', 0)]).toEqual([
      ['inactivity 1'],
      expect.objectContaining({ byInactivity: false, revision: 1, status: 'fired' }),
    ])
  })

  test('gets an on-time revision there for rows that differ from what was published, and for no others', () => {
    const run = begun()
    run.tick(101)
    run.events(
      { ts: 600, currency: 'EUR', at: 110, id: 'eur' },
      { ts: 700, at: 110, id: 'usd' },
      { ts: 700, currency: 'EUR', at: 110, id: 'eur2' },
      { ts: 1000, at: 110, id: 'next' },
    )
    expect(
      run.revisions.slice(1).map((r) => [r.currency, r.kind, r.before?.events ?? null, r.after.events]),
    ).toEqual([
      ['EUR', 'correction', null, 1],
      ['USD', 'on-time', 1, 2],
      ['EUR', 'on-time', 1, 2],
    ])
    expect(run.row('m', 0)).toMatchObject({ byInactivity: false, revision: 2, events: 2 })
  })

  test('names who is idle when the watermark gets there', () => {
    const run = begun({ idleTimeout: 200, sources: [{ name: 'a' }, { name: 'z' }] })
    run.tick(101)
    expect(run.row('m', 0)?.leftOut).toEqual([])
    run.events({ ts: 1000, at: 150 })
    run.events({ ts: 1001, at: 201 })
    expect(run.row('m', 0)).toMatchObject({ byInactivity: false, leftOut: ['z'] })
  })

  test('closes as any other, and is not fired again by the next silence', () => {
    const run = begun()
    run.tick(101)
    run.events({ ts: 700, at: 150 })
    run.tick(500)
    expect(kinds(run)).toEqual(['inactivity 1', 'correction 2'])
    run.events({ ts: 6000, at: 501 })
    expect(run.row('m', 0)).toMatchObject({ status: 'closed', events: 2, byInactivity: false })
  })

  test('keeps the flag over a restart, and loses it after one', () => {
    const run = begun()
    run.tick(101)
    run.restart()
    run.tick(300)
    expect(kinds(run)).toEqual(['inactivity 1'])
    run.events({ ts: 1000, at: 310 })
    expect(run.row('m', 0)?.byInactivity).toBe(false)
  })
})

import { describe, expect, test } from 'vitest'
import type { Revision } from '../../../../server/contracts/windowRow'
import type { TouchedRows } from '../../../../server/engine/row'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

const inShort = (r: Revision) => [
  r.kind,
  r.revision,
  r.before?.events ?? null,
  r.after.events,
  r.eventIds.join(),
]

const rowsOf = (touched: readonly TouchedRows[]) =>
  touched.flatMap(({ group, ordinals }) => ordinals.map((i) => group.row(i)))

/** A run whose window [0, 1000) has fired with one event of 10, and is open to corrections. */
function fired(over: SpecInput = {}): Run {
  const run = new Run({ allowedLateness: 10_000, ...over })
  run.oneByOne({ ts: 500, amount: '10', id: 'first' }, { ts: 1000, id: 'next' })
  run.revisions.length = 0
  return run
}

describe('an event that comes after its window fired', () => {
  test('makes the next revision, with the totals before and after and the change between', () => {
    const run = fired()
    run.events({ ts: 600, amount: '2.50', id: 'x', at: 4000 })
    const before = { gross: '10.0000', refunds: '0.0000', net: '10.0000', orders: 1, buyers: 0, events: 1 }
    expect(run.revisions).toEqual([
      {
        ...{
          view: 'm',
          version: 1,
          start: 0,
          end: 1000,
          windowId: 0,
          currency: 'USD',
          dims: [],
          revision: 2,
        },
        ...{ kind: 'correction', deltaNet: '2.5000', eventCount: 1, eventIds: ['x'] },
        before,
        after: { ...before, gross: '12.5000', net: '12.5000', orders: 2, events: 2 },
        ...{ lateBy: 3000, watermark: 999, at: 4000, by: null, pos: 4 },
      },
    ])
    expect(run.state.counts).toMatchObject({ inTime: 2, corrected: 1 })
    expect(run.row('m', 0)).toMatchObject({ status: 'fired', revision: 2, net: '12.5000' })
  })

  test('is a correction from zero where its key was not there when the window fired', () => {
    const run = fired()
    run.events({ ts: 600, currency: 'EUR', amount: '3' })
    expect(run.revisions).toMatchObject([
      { kind: 'correction', revision: 1, before: null, deltaNet: '3.0000' },
    ])
  })

  test('that is a refund takes the net down', () => {
    const run = fired()
    run.events({ ts: 600, refund: true, amount: '12.0001' })
    expect(run.revisions).toMatchObject([
      { deltaNet: '-12.0001', after: { net: '-2.0001', refunds: '12.0001' } },
    ])
  })

  test('corrects the views whose windows have fired, and counts in time in none of them', () => {
    const views = [
      { id: 'm', window: tumbling(1000) },
      { id: 'h', window: tumbling(5000) },
    ]
    const run = fired({ views })
    run.events({ ts: 600 })
    expect(run.revisions.map((r) => r.view)).toEqual(['m'])
    expect(run.row('h', 0)).toMatchObject({ status: 'open', revision: 0, events: 3 })
    expect(run.state.counts).toMatchObject({ inTime: 2, corrected: 1 })
    run.oneByOne({ ts: 5000 }, { ts: 700 })
    expect(run.revisions.slice(-2).map((r) => [r.view, r.kind])).toEqual([
      ['m', 'correction'],
      ['h', 'correction'],
    ])
    expect(run.state.counts).toMatchObject({ inTime: 3, corrected: 2 })
  })
})

describe('corrections of one window within one record', () => {
  test('make one revision, that names up to 20 of its events', () => {
    const run = fired()
    run.events(...Array.from({ length: 25 }, (_, i) => ({ ts: 600, id: `x${i}` })))
    expect(run.revisions).toMatchObject([{ revision: 2, eventCount: 25, after: { events: 26 } }])
    expect(run.revisions[0]?.eventIds).toEqual(Array.from({ length: 20 }, (_, i) => `x${i}`))
  })

  test('make one revision each in per-event mode', () => {
    const run = fired({ coalesce: 'event' })
    run.events({ ts: 600, id: 'x' }, { ts: 700, id: 'y' })
    expect(run.revisions.map(inShort)).toEqual([
      ['correction', 2, 1, 2, 'x'],
      ['correction', 3, 2, 3, 'y'],
    ])
  })

  test('of two records make two', () => {
    const run = fired()
    run.oneByOne({ ts: 600, id: 'x' }, { ts: 700, id: 'y' })
    expect(run.revisions.map((r) => [r.revision, r.pos])).toEqual([
      [2, 4],
      [3, 5],
    ])
  })

  test('of two windows make one for each', () => {
    const run = new Run({ allowedLateness: 10_000 })
    run.oneByOne({ ts: 500 }, { ts: 1500 }, { ts: 2000 })
    run.revisions.length = 0
    run.events({ ts: 600, id: 'x' }, { ts: 1600, id: 'y' }, { ts: 700, id: 'z' })
    expect(run.revisions.map((r) => [r.start, r.eventIds.join()])).toEqual([
      [0, 'x,z'],
      [1000, 'y'],
    ])
  })

  test('are never together with its firing: both in one record are two revisions', () => {
    const run = new Run({ allowedLateness: 10_000 })
    run.events({ ts: 500 }, { ts: 1000 }, { ts: 600, id: 'x' }, { ts: 700, id: 'y' })
    expect(run.revisions.map(inShort)).toEqual([
      ['on-time', 1, null, 1, ''],
      ['correction', 2, 1, 3, 'x,y'],
    ])
  })

  test('start with the first event of a new key alone, so that its first value does not depend on the cut', () => {
    const run = fired()
    const eur = (id: string) => ({ ts: 600, currency: 'EUR', id })
    run.events(eur('x'), eur('y'), eur('z'))
    expect(run.revisions.map(inShort)).toEqual([
      ['correction', 1, null, 1, 'x'],
      ['correction', 2, 1, 3, 'y,z'],
    ])
  })

  test('do not run over into the next record', () => {
    const run = fired()
    run.events({ ts: 600 })
    run.events({ ts: 5000 })
    run.tick(9)
    expect(run.revisions.filter((r) => r.kind === 'correction').length).toBe(1)
  })
})

describe('rows that a record touched', () => {
  test('of a window that closed within it are published, and known as closed', () => {
    const run = fired()
    const { touched, closed, revisions } = run.events({ ts: 600 }, { ts: 50_000 })
    expect(closed.map((w) => w.windowId)).toEqual([0, 1000])
    expect(rowsOf(touched).map((row) => [row.start, row.status])).toEqual([
      [0, 'closed'],
      [50_000, 'open'],
      [1000, 'closed'],
    ])
    expect(revisions.map((r) => [r.start, r.kind])).toEqual([
      [1000, 'on-time'],
      [0, 'correction'],
    ])
  })

  test('are listed once, with their values at its end', () => {
    const run = fired()
    const { touched } = run.events({ ts: 600 }, { ts: 700 }, { ts: 1100 })
    expect(rowsOf(touched).map((row) => [row.start, row.values.events])).toEqual([
      [0, 3],
      [1000, 2],
    ])
  })
})

describe('a correction whose window closes within the same record', () => {
  test('carries the watermark under which it was counted, not one that contradicts it (field case 22)', () => {
    const run = new Run({ allowedLateness: 100 })
    run.oneByOne({ ts: 500 }, { ts: 1000 })
    run.revisions.length = 0
    run.events({ ts: 600, at: 1200 }, { ts: 5000, at: 1300 })
    const corrections = run.revisions.filter((r) => r.kind === 'correction')
    expect(corrections).toMatchObject([{ start: 0, watermark: 999, at: 1200, eventCount: 1 }])
    expect(run.row('m', 0)).toMatchObject({ status: 'closed', revision: 2, events: 2 })
  })
})

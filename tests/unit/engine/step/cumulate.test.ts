import { describe, expect, test } from 'vitest'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

const cumulate = { kind: 'cumulate', step: 10, within: tumbling(40) } as const
const begun = (over: SpecInput = {}) => new Run({ views: [{ id: 'c', window: cumulate }], ...over })
const told = (run: Run) => run.revisions.map((r) => [r.kind, r.start, r.end, r.after.events])
const HOUR = 3_600_000

describe('cumulate windows', () => {
  test('begin together, end a step later each, and hold what came up to their end', () => {
    const run = begun()
    run.oneByOne({ ts: 5 }, { ts: 25 }, { ts: 100 })
    expect(run.revisions.map((r) => [r.start, r.end, r.windowId, r.after.events])).toEqual([
      [0, 10, 10, 1],
      [0, 20, 20, 1],
      [0, 30, 30, 2],
      [0, 40, 40, 2],
    ])
  })

  test('before the first event of their span are not there: they hold nothing', () => {
    const run = begun()
    run.oneByOne({ ts: 25 }, { ts: 100 })
    expect(told(run).map(([, , end]) => end)).toEqual([30, 40])
  })

  test('begin anew with the next span', () => {
    const run = begun()
    run.oneByOne({ ts: 39 }, { ts: 40 }, { ts: 200 })
    expect(told(run)).toEqual([
      ['on-time', 0, 40, 1],
      ['on-time', 40, 50, 1],
      ['on-time', 40, 60, 1],
      ['on-time', 40, 70, 1],
      ['on-time', 40, 80, 1],
    ])
  })

  test('show the running total of the one in progress', () => {
    const run = begun()
    run.oneByOne({ ts: 5, amount: '2' }, { ts: 15, amount: '3' })
    expect(run.row('c', 20)).toMatchObject({ start: 0, end: 20, status: 'open', net: '5.0000' })
  })

  test('count an order once, however many steps it is seen in', () => {
    const run = begun()
    run.oneByOne(
      { ts: 5, order: 'o', user: 'u' },
      { ts: 15, order: 'o' },
      { ts: 25, order: 'p', user: 'u' },
      { ts: 99 },
    )
    expect(run.revisions.map((r) => [r.end, r.after.events, r.after.orders, r.after.buyers])).toEqual([
      [10, 1, 1, 1],
      [20, 2, 1, 1],
      [30, 3, 2, 1],
      [40, 3, 2, 1],
    ])
  })

  test('are corrected from the step of the event on, all that have fired', () => {
    const run = begun({ allowedLateness: 500 })
    run.oneByOne({ ts: 5 }, { ts: 30 })
    run.revisions.length = 0
    run.events({ ts: 12, id: 'x' })
    expect(told(run)).toEqual([
      ['correction', 0, 20, 2],
      ['correction', 0, 30, 2],
    ])
  })

  test('that are closed to an event are told as missed', () => {
    const run = begun()
    run.oneByOne({ ts: 25 }, { ts: 5, id: 'x' })
    expect(run.missed).toMatchObject([{ windows: 2, firstStart: 0, lastEnd: 20, watermark: 24 }])
    run.events({ ts: 40 })
    expect(told(run)).toEqual([
      ['on-time', 0, 30, 2],
      ['on-time', 0, 40, 2],
    ])
    run.events({ ts: 39, id: 'y' })
    expect(run.late).toMatchObject([{ windowStart: 0, windowEnd: 40 }])
  })
})

describe('the day so far', () => {
  const day = { kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' } as const
  const views = [{ id: 'c', window: { kind: 'cumulate', step: 6 * HOUR, within: day } as const }]

  test('of a day of 25 hours ends with a step of an hour, at midnight', () => {
    const start = 1_792_879_200_000
    const run = new Run({ views })
    run.oneByOne({ ts: start }, { ts: start + 24 * HOUR }, { ts: start + 25 * HOUR })
    expect(run.revisions.map((r) => [r.start, (r.end - start) / HOUR, r.after.events])).toEqual([
      [start, 6, 1],
      [start, 12, 1],
      [start, 18, 1],
      [start, 24, 1],
      [start, 25, 2],
    ])
  })

  test('of a day of 23 hours has a last step of five', () => {
    const start = Date.parse('2026-03-28T23:00:00Z')
    const run = new Run({ views })
    run.oneByOne({ ts: start }, { ts: start + 22 * HOUR }, { ts: start + 23 * HOUR })
    expect(run.revisions.map((r) => [(r.end - start) / HOUR, r.after.events])).toEqual([
      [6, 1],
      [12, 1],
      [18, 1],
      [23, 2],
    ])
  })
})

describe('a cumulate view beside minutes', () => {
  test('holds at its span’s end what the minutes of the span hold together', () => {
    const run = new Run({
      views: [
        { id: 'm', window: tumbling(10) },
        { id: 'c', window: cumulate },
      ],
    })
    run.oneByOne({ ts: 5 }, { ts: 15 }, { ts: 9 }, { ts: 35 }, { ts: 40 })
    const minutes = [0, 10, 20, 30].map((start) => run.row('m', start)?.events ?? 0)
    expect([minutes, run.row('c', 40)?.events, run.state.counts.late]).toEqual([[1, 1, 0, 1], 3, 1])
  })
})

import { describe, expect, test } from 'vitest'
import { Run, tumbling } from '../../../support/engine'

type Unit = 'day' | 'week' | 'month'
const HOUR = 3_600_000
const utc = Date.parse

/** A view of calendar windows over quarters of an hour, with an event at each of these instants. */
function spans(unit: Unit, zone: string, instants: readonly string[], dayStart = '00:00') {
  const window = { kind: 'calendar', unit, zone, dayStart } as const
  const views = [
    { id: 'm', window: tumbling(900_000) },
    { id: 'v', window },
  ]
  const run = new Run({ views, strategy: { kind: 'bounded', bound: 400 * 24 * HOUR } })
  run.events(...instants.map((text) => ({ ts: utc(text) })))
  return [...run.rows.values()]
    .filter((row) => row.view === 'v')
    .map((row) => [new Date(row.start).toISOString(), (row.end - row.start) / HOUR, row.events])
    .sort()
}

describe('a day', () => {
  test('of 25 and of 23 hours is as long as it is, and fires when it is over', () => {
    expect(
      spans('day', 'Europe/Berlin', [
        '2026-10-24T22:00:00Z',
        '2026-10-25T22:59:59.999Z',
        '2026-10-25T23:00Z',
      ]),
    ).toEqual([
      ['2026-10-24T22:00:00.000Z', 25, 2],
      ['2026-10-25T23:00:00.000Z', 24, 1],
    ])
    expect(
      spans('day', 'Europe/Berlin', [
        '2026-03-28T23:00:00Z',
        '2026-03-29T21:59:59.999Z',
        '2026-03-29T22:00Z',
      ]),
    ).toEqual([
      ['2026-03-28T23:00:00.000Z', 23, 2],
      ['2026-03-29T22:00:00.000Z', 24, 1],
    ])
  })

  test('may begin at four in the morning', () => {
    const before = '2026-07-02T01:59:59.999Z'
    expect(spans('day', 'Europe/Berlin', [before, '2026-07-02T02:00:00Z'], '04:00')).toEqual([
      ['2026-07-01T02:00:00.000Z', 24, 1],
      ['2026-07-02T02:00:00.000Z', 24, 1],
    ])
  })
})

describe('a week', () => {
  test('begins on Monday, and has 169 hours where the clock is set back', () => {
    const sunday = '2026-10-25T22:59:59.999Z'
    expect(spans('week', 'Europe/Berlin', ['2026-10-18T22:00:00Z', sunday, '2026-10-25T23:00:00Z'])).toEqual([
      ['2026-10-18T22:00:00.000Z', 169, 2],
      ['2026-10-25T23:00:00.000Z', 168, 1],
    ])
  })

  test('runs over the new year', () => {
    expect(spans('week', 'Asia/Shanghai', ['2026-12-31T12:00:00Z', '2027-01-03T12:00:00Z'])).toEqual([
      ['2026-12-27T16:00:00.000Z', 168, 2],
    ])
  })
})

describe('a month', () => {
  test('is as long as it is, in its zone', () => {
    const months = ['2026-09-30T22:00:00Z', '2026-10-31T22:59:59.999Z', '2026-10-31T23:00:00Z']
    expect(spans('month', 'Europe/Berlin', months)).toEqual([
      ['2026-09-30T22:00:00.000Z', 31 * 24 + 1, 2],
      ['2026-10-31T23:00:00.000Z', 30 * 24, 1],
    ])
    expect(spans('month', 'UTC', ['2028-02-29T23:59:59Z', '2028-03-01T00:00:00Z'])).toEqual([
      ['2028-02-01T00:00:00.000Z', 29 * 24, 1],
      ['2028-03-01T00:00:00.000Z', 31 * 24, 1],
    ])
  })

  test('whose day begins at four takes the first hours of the next one', () => {
    expect(spans('month', 'UTC', ['2026-08-01T03:59:59Z', '2026-08-01T04:00:00Z'], '04:00')).toEqual([
      ['2026-07-01T04:00:00.000Z', 31 * 24, 1],
      ['2026-08-01T04:00:00.000Z', 31 * 24, 1],
    ])
  })
})

describe('calendar windows', () => {
  test('fire at their end and close L after the last minute of theirs, like all others', () => {
    const start = utc('2026-10-24T22:00:00Z')
    const window = { kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' } as const
    const run = new Run({ views: [{ id: 'v', window }], allowedLateness: 500 })
    run.oneByOne({ ts: start }, { ts: start + 25 * HOUR - 1 })
    expect(run.revisions).toEqual([])
    run.events({ ts: start + 25 * HOUR })
    expect(run.revisions).toMatchObject([{ start, end: start + 25 * HOUR, kind: 'on-time' }])
    run.events({ ts: start + 25 * HOUR + 499 })
    expect(run.closed).toEqual([])
    run.events({ ts: start + 25 * HOUR + 500 })
    expect(run.closed).toEqual([{ view: 'v', version: 1, windowId: start }])
  })
})

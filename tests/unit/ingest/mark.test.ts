import { describe, expect, test } from 'vitest'
import type { Strategy } from '../../../server/contracts/strategy'
import { Flaw } from '../../../server/ingest/flaw'
import { checkMark, isMark } from '../../../server/ingest/mark'
import { rulesFor } from '../../../server/ingest/sourceRules'
import { ARRIVAL, ingestWith, inOrder, order, spec } from './fixtures'

const PUNCTUATED = { kind: 'punctuated' } as const
const BOUNDED = { kind: 'bounded', bound: 5_000 } as const

function read(mark: unknown, source: Parameters<typeof spec>[0] = {}, pipeline?: Parameters<typeof spec>[1]) {
  return checkMark({ mark }, rulesFor(spec({ strategy: PUNCTUATED, ...source }, pipeline), 'pos-1'), ARRIVAL)
}

function flawOf(...given: Parameters<typeof read>): Flaw {
  const flaw = read(...given)
  if (!(flaw instanceof Flaw)) throw new Error('accepted')
  expect(flaw.field).toBe('mark')
  return flaw
}

describe('what a mark is', () => {
  test('an object with nothing but a mark; an event may have a field of that name', () => {
    expect([{ mark: 1 }, { mark: undefined }, { mark: {} }].map(isMark)).toEqual([true, true, true])
    const others = [null, 7, 'mark', [], { mark: 1, eventId: 'e' }, {}, Object.create({ mark: 1 })]
    expect(others.filter(isMark)).toEqual([])
  })
})

describe('the time of a mark is read like an event time', () => {
  test('in the unit of its source, or as ISO 8601 with offset', () => {
    expect(read(ARRIVAL)).toBe(ARRIVAL)
    expect(read(ARRIVAL / 1000, { unit: 's' })).toBe(ARRIVAL)
    expect(read('2025-11-30T08:00:00+08:00')).toBe(ARRIVAL)
  })

  test.each<[unknown, string]>([
    [1_764_460_800, 'looks_like_seconds'],
    [1_764_460_800_000_000, 'looks_like_microseconds'],
    ['2025-11-30T08:00:00', 'timezone_missing'],
    ['soon', 'timestamp_invalid'],
    [0, 'timestamp_invalid'],
    [Number.NaN, 'timestamp_invalid'],
    [null, 'missing_field'],
    [undefined, 'missing_field'],
    [{ t: 1 }, 'wrong_type'],
  ])('%j is %s', (mark, code) => {
    expect(flawOf(mark).code).toBe(code)
  })

  test('passes the guards of events: one from a broken clock must not fire every window', () => {
    expect(read(ARRIVAL + 300_000)).toBe(ARRIVAL + 300_000)
    const future = flawOf(ARRIVAL + 300_001)
    expect(future).toMatchObject({ code: 'future_timestamp', message: expect.stringMatching(/^mark /) })
    expect(read(ARRIVAL - 1_000, { maxAge: 1_000 })).toBe(ARRIVAL - 1_000)
    const old = flawOf(ARRIVAL - 1_001, { maxAge: 1_000 })
    expect(old).toMatchObject({ code: 'too_old', message: expect.stringMatching(/^mark /) })
  })
})

describe('marks are taken where the strategy in force is punctuated', () => {
  test.each<[Strategy | undefined, Strategy, boolean]>([
    [PUNCTUATED, BOUNDED, true],
    [undefined, PUNCTUATED, true],
    [undefined, BOUNDED, false],
    [BOUNDED, PUNCTUATED, false],
    [{ kind: 'ascending' }, PUNCTUATED, false],
  ])('source %j in pipeline %j: %j', (own, pipeline, taken) => {
    const checked = read(ARRIVAL, { strategy: own }, { strategy: pipeline })
    if (taken) expect(checked).toBe(ARRIVAL)
    else
      expect(checked).toMatchObject({
        code: 'wrong_type',
        message: expect.stringContaining('leave them out'),
      })
  })

  test('an undeclared source follows the pipeline', () => {
    const rules = rulesFor(spec({}, { strategy: PUNCTUATED }), 'nobody-declared-me')
    expect(checkMark({ mark: ARRIVAL }, rules, ARRIVAL)).toBe(ARRIVAL)
  })
})

describe('a request with marks', () => {
  const sent = { source: 'pos-1', authorization: 'Bearer right', address: '::1' }
  const pipeline = spec({ strategy: PUNCTUATED })
  const punctuated = () => ingestWith({ spec: () => pipeline })

  test('keeps them in order with the events that were accepted around them, outside of both counts', async () => {
    const { ingest, journal } = punctuated()
    const mark = (ms: number) => ({ mark: ARRIVAL - ms })
    const events = [mark(9), order(), { bad: 1 }, mark(8), mark(7), order({ eventId: 'e-2' }), mark(6)]
    const receipt = await ingest.pushValues({ ...sent, events })
    expect(receipt).toMatchObject({ received: 3, accepted: 2, marks: 4, quarantined: [{ index: 2 }] })
    const at = (ms: number) => ARRIVAL - ms
    expect(inOrder(journal.entries[0])).toEqual([at(9), 'e-1', at(8), at(7), 'e-2', at(6)])
    const entry = journal.entries[0]
    expect(entry?.kind === 'events' && entry.marks?.[0]).toEqual({
      row: 0,
      source: 'pos-1',
      mark: ARRIVAL - 9,
      at: ARRIVAL,
    })
    expect(ingest.health()).toMatchObject({ events: 3, accepted: 2, quarantined: 1, marks: 4 })
  })

  test('of marks only is kept too', async () => {
    const { ingest, journal } = punctuated()
    const receipt = await ingest.pushValues({ ...sent, events: [{ mark: ARRIVAL }] })
    expect(receipt).toEqual({ received: 0, accepted: 0, marks: 1, quarantined: [], position: 1 })
    expect(inOrder(journal.entries[0])).toEqual([ARRIVAL])
  })

  test('that is refused counts it as received and set aside, with its place and its text', async () => {
    const { ingest, journal } = ingestWith()
    const receipt = await ingest.pushValues({ ...sent, events: [order(), { mark: ARRIVAL }] })
    expect(receipt).toMatchObject({
      received: 2,
      accepted: 1,
      marks: 0,
      quarantined: [{ index: 1, eventId: null, code: 'wrong_type' }],
    })
    const [entry] = journal.entries
    if (entry?.kind !== 'events') throw new Error('no events')
    expect(entry.rejected).toMatchObject([{ field: 'mark', raw: `{"mark":${ARRIVAL}}` }])
    expect(entry).not.toHaveProperty('marks')
  })

  test('a change of strategy holds from the next request on', async () => {
    let now = spec()
    const { ingest } = ingestWith({ spec: () => now })
    const push = () => ingest.pushValues({ ...sent, events: [{ mark: ARRIVAL }] })
    expect(await push()).toMatchObject({ received: 1, marks: 0 })
    now = pipeline
    expect(await push()).toMatchObject({ received: 0, marks: 1 })
  })
})

import { describe, expect, test } from 'vitest'
import { ARRIVAL, accepted, flaw, order } from './fixtures'

const SECONDS = ARRIVAL / 1000

describe('an event time is an instant or refused', () => {
  test.each([
    [ARRIVAL, ARRIVAL],
    [1, 1],
    ['2025-11-30T00:00:00Z', ARRIVAL],
    ['2025-11-30T08:00:00+08:00', ARRIVAL],
    ['2025-11-30T08:00+0800', ARRIVAL],
    ['2025-11-29T14:30:00.000-09:30', ARRIVAL],
    ['2025-11-29 23:59:59.9999Z', ARRIVAL - 1],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000],
  ])('%j', (eventTime, expected) => {
    expect(accepted(order({ eventTime })).eventTime).toBe(expected)
  })

  test.each([
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e22,
    '',
    'yesterday',
    '1764460800000',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2025-11-30T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '2025-11-30T00:00:00+18:01',
    '2025-11-30T00:00:00+08:60',
    '2025-13-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00Z',
    '2025-W48-7T00:00:00Z',
    ' 2025-11-30T00:00:00Z',
    '2025-11-30T00:00:00Z\n',
  ])('%j is refused and does not move time (field case 13)', (eventTime) => {
    expect(flaw(order({ eventTime })).code).toBe('timestamp_invalid')
  })

  test.each([null, undefined])('%j is missing_field', (eventTime) => {
    expect(flaw(order({ eventTime }))).toMatchObject({ code: 'missing_field', field: 'eventTime' })
  })

  test.each([true, {}, []])('%j is wrong_type', (eventTime) => {
    expect(flaw(order({ eventTime })).code).toBe('wrong_type')
  })

  test.each(['2025-11-30T00:00:00', '2025-11-30 00:00', '2025-11-30'])(
    '%j is timezone_missing',
    (eventTime) => {
      expect(flaw(order({ eventTime })).code).toBe('timezone_missing')
    },
  )
})

describe('a number in another unit is named, never guessed (field case 2)', () => {
  test('seconds among milliseconds', () => {
    const found = flaw(order({ eventTime: 1764460800 }))
    expect(found.code).toBe('looks_like_seconds')
    expect(found.message).toBe(
      "eventTime 1764460800 looks like seconds (10 digits); Tidemark expects milliseconds: send 1764460800000, or set the source's unit to seconds",
    )
  })

  test('micro- and nanoseconds, beyond 2^53 too', () => {
    expect(flaw(order({ eventTime: ARRIVAL * 1e3 })).code).toBe('looks_like_microseconds')
    expect(flaw(order({ eventTime: JSON.parse('1764460800123456789') })).code).toBe('looks_like_nanoseconds')
    expect(flaw(order({ eventTime: JSON.parse('99999999999999999') })).code).toBe('timestamp_invalid')
  })

  test('the neighbours of 10 and 16 digits are not taken for another unit', () => {
    expect(accepted(order({ eventTime: 999_999_999 })).eventTime).toBe(999_999_999)
    expect(accepted(order({ eventTime: 10_000_000_000 })).eventTime).toBe(10_000_000_000)
    expect(flaw(order({ eventTime: 999_999_999_999_999 })).code).toBe('future_timestamp')
  })

  test('a source with its own unit is converted exactly', () => {
    expect(accepted(order({ eventTime: SECONDS }), { unit: 's' }).eventTime).toBe(ARRIVAL)
    expect(accepted(order({ eventTime: 1764460799.123 }), { unit: 's' }).eventTime).toBe(1764460799123)
    expect(accepted(order({ eventTime: 1764460799.1239 }), { unit: 's' }).eventTime).toBe(1764460799123)
    expect(accepted(order({ eventTime: ARRIVAL * 1e3 - 1 }), { unit: 'us' }).eventTime).toBe(ARRIVAL - 1)
    expect(accepted(order({ eventTime: ARRIVAL * 1e6 }), { unit: 'ns' }).eventTime).toBe(ARRIVAL)
    expect(accepted(order({ eventTime: '1764460799999999999' }), { unit: 'ns' }).eventTime).toBe(ARRIVAL - 1)
    expect(accepted(order({ eventTime: '2025-11-30T00:00:00Z' }), { unit: 's' }).eventTime).toBe(ARRIVAL)
  })

  test('the guard goes by the unit of the source', () => {
    const ms = flaw(order({ eventTime: ARRIVAL }), { unit: 's' })
    expect(ms.code).toBe('timestamp_invalid')
    expect(ms.message).toContain(
      'looks like milliseconds (13 digits); Tidemark expects seconds: send 1764460800',
    )
    expect(flaw(order({ eventTime: SECONDS }), { unit: 'us' }).code).toBe('looks_like_seconds')
    expect(flaw(order({ eventTime: ARRIVAL * 1e3 }), { unit: 'ns' }).code).toBe('looks_like_microseconds')
    expect(flaw(order({ eventTime: ARRIVAL * 1e6 }), { unit: 'us' }).code).toBe('looks_like_nanoseconds')
    expect(accepted(order({ eventTime: 17_644_608_000_000 }), { unit: 'us' }).eventTime).toBe(17_644_608_000)
    expect(flaw(order({ eventTime: 1 }), { unit: 'us' }).code).toBe('timestamp_invalid')
  })
})

describe('the clock guards', () => {
  test('future begins after maxFutureSkew, not at it', () => {
    expect(accepted(order({ eventTime: ARRIVAL + 300_000 })).eventTime).toBe(ARRIVAL + 300_000)
    const found = flaw(order({ eventTime: ARRIVAL + 300_001 }))
    expect(found).toMatchObject({ code: 'future_timestamp', field: 'eventTime' })
    expect(found.message).toContain('is 5 minutes 1 millisecond ahead')
    expect(flaw(order({ eventTime: ARRIVAL + 33 * 86_400_000 + 5 })).message).toContain('33 days ahead')
    expect(flaw(order({ eventTime: ARRIVAL + 1 }), {}, { maxFutureSkew: 0 }).code).toBe('future_timestamp')
  })

  test('too old only where maxAge is set, the source before the pipeline', () => {
    const eventTime = ARRIVAL - 3_600_001
    expect(accepted(order({ eventTime })).eventTime).toBe(eventTime)
    expect(flaw(order({ eventTime }), {}, { maxAge: 3_600_000 }).code).toBe('too_old')
    expect(accepted(order({ eventTime: ARRIVAL - 3_600_000 }), {}, { maxAge: 3_600_000 })).toBeTruthy()
    expect(accepted(order({ eventTime }), { maxAge: null }, { maxAge: 3_600_000 })).toBeTruthy()
    expect(flaw(order({ eventTime }), { maxAge: 60_000 }).message).toContain('at most 1 minute')
  })

  test('one future timestamp does not touch its neighbours (field case 1)', () => {
    const times = [10_000, 7_210_000, 11_000, 12_000, 20_000]
    const codes = times.map((offset) => {
      const event = order({ eventTime: ARRIVAL + offset })
      return offset > 300_000 ? flaw(event).code : accepted(event).eventTime - ARRIVAL
    })
    expect(codes).toEqual([10_000, 'future_timestamp', 11_000, 12_000, 20_000])
  })
})

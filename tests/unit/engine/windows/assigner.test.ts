import { describe, expect, test } from 'vitest'
import type { WindowSpec } from '../../../../server/contracts/windowSpec'
import { assignerOf, tumblingStart } from '../../../../server/engine/windows/assigner'
import { tumbling } from '../../../support/engine'

describe('tumbling windows', () => {
  test('before 1970 start below the event, not above it', () => {
    expect(assignerOf(tumbling(5000))(-12_001)).toEqual({ start: -15_000, end: -10_000 })
    expect(assignerOf(tumbling(5000))(-1)).toEqual({ start: -5000, end: 0 })
  })

  test('hold their start and not their end', () => {
    for (const start of [-5000, 0, 5000]) {
      expect(tumblingStart(start, 5000, 0)).toBe(start)
      expect(tumblingStart(start + 4999, 5000, 0)).toBe(start)
      expect(tumblingStart(start - 1, 5000, 0)).toBe(start - 5000)
    }
  })

  test('start at the offset, of either sign', () => {
    expect(tumblingStart(14, 10, 5)).toBe(5)
    expect(tumblingStart(15, 10, 5)).toBe(15)
    expect(tumblingStart(4, 10, 5)).toBe(-5)
    expect(tumblingStart(6, 10, -3)).toBe(-3)
    expect(tumblingStart(7, 10, -3)).toBe(7)
    expect(tumblingStart(-4, 10, -3)).toBe(-13)
  })

  test('of UTC+8 days need an offset of minus 8 hours', () => {
    const hour = 3_600_000
    const day = assignerOf(tumbling(24 * hour, -8 * hour))(Date.parse('2026-01-10T16:00:00Z'))
    expect(day.start).toBe(Date.parse('2026-01-10T16:00:00Z'))
  })

  test('never start at -0, which would be another key than 0', () => {
    for (const ts of [0, 1, -0, 4999]) expect(Object.is(tumblingStart(ts, 5000, 0), 0)).toBe(true)
  })
})

describe('calendar windows', () => {
  const berlin = { kind: 'calendar', unit: 'day', zone: 'Europe/Berlin', dayStart: '00:00' } as const

  test('are the local days of their zone', () => {
    const assign = assignerOf(berlin)
    expect(assign(1_792_900_000_000)).toEqual({ start: 1_792_879_200_000, end: 1_792_969_200_000 })
  })

  test('go by their unit and the start of the business day', () => {
    const assign = assignerOf({ ...berlin, unit: 'month', dayStart: '04:30' })
    expect(assign(Date.parse('2026-11-15T00:00:00Z'))).toEqual({
      start: Date.parse('2026-11-01T03:30:00Z'),
      end: Date.parse('2026-12-01T03:30:00Z'),
    })
  })
})

test.each<WindowSpec>([
  { kind: 'sliding', size: 60_000, slide: 1_000, offset: 0 },
  { kind: 'cumulate', step: 1_000, within: { kind: 'tumbling', size: 60_000, offset: 0 } },
  { kind: 'session', gap: 1_000 },
])('$kind windows are not assigned one by one', (window) => {
  expect(() => assignerOf(window)).toThrow(RangeError)
})

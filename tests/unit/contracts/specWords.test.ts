import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../../server/contracts/duration'
import { durationText, strategyText, windowText } from '../../../server/contracts/specWords'
import { Strategy } from '../../../server/contracts/strategy'
import { WindowSpec } from '../../../server/contracts/windowSpec'

const day = { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' }

describe('a duration in words', () => {
  test.each([
    [0, '0ms'],
    [250, '250ms'],
    [5_000, '5s'],
    [90_000, '1m 30s'],
    [59_999, '59s 999ms'],
    [3_600_000, '1h'],
    [90_000_000, '1d 1h'],
    [34_560_000_000, '400d'],
    [-28_800_000, '-8h'],
    [-5_400_000, '-1h 30m'],
  ])('of %d ms is %s', (value, text) => {
    expect(durationText(value)).toBe(text)
  })

  test('is exact: its parts add up to it', () => {
    const ms = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 10 ** 14 }))
    fc.assert(
      fc.property(ms, (value) => {
        const parts = durationText(value).split(' ').map(parseDuration)
        expect(parts.reduce<number>((sum, part) => sum + (part ?? Number.NaN), 0)).toBe(value)
      }),
    )
  })
})

test.each<[string, unknown]>([
  ['bounded 1m 30s', { kind: 'bounded', bound: 90_000 }],
  ['ascending', { kind: 'ascending' }],
  ['punctuated', { kind: 'punctuated' }],
  [
    'adaptive (30s at first; 1.5 × P95 of 1000 delays, from 200 on, every 10s; 5s to 5m, falling 20 % a step)',
    { kind: 'adaptive' },
  ],
])('a strategy in words: %s', (text, strategy) => {
  expect(strategyText(Strategy.parse(strategy))).toBe(text)
})

test.each<[string, unknown]>([
  ['1m', { kind: 'tumbling', size: '1m' }],
  ['1d offset -8h', { kind: 'tumbling', size: '1d', offset: '-8h' }],
  ['1h every 5m', { kind: 'sliding', size: '1h', slide: '5m' }],
  ['calendar day of Asia/Shanghai', day],
  ['calendar month of Asia/Shanghai from 04:00', { ...day, unit: 'month', dayStart: '04:00' }],
  ['calendar day of Asia/Shanghai in steps of 10m', { kind: 'cumulate', step: '10m', within: day }],
  ['sessions with a gap of 30m', { kind: 'session', gap: '30m' }],
])('a window in words: %s', (text, window) => {
  expect(windowText(WindowSpec.parse(window))).toBe(text)
})

import { describe, expect, test } from 'vitest'
import {
  Duration,
  NonNegativeDuration,
  PositiveDuration,
  parseDuration,
} from '../../../server/contracts/duration'

describe('a duration', () => {
  test.each([
    ['250ms', 250],
    ['5s', 5_000],
    ['1.5s', 1_500],
    ['10m', 600_000],
    ['1h', 3_600_000],
    ['400d', 34_560_000_000],
    ['-8h', -28_800_000],
    ['5 s', 5_000],
    ['0s', 0],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
    expect(Duration.parse(text)).toBe(ms)
  })

  test.each([
    '5',
    '',
    's',
    '5x',
    '0.5ms',
    '1e3s',
    '5s 3m',
    ' 5s',
    '5s\n',
    `${'9'.repeat(40)}s`,
    'NaNs',
    '--5s',
    '.5s',
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeNull()
    expect(Duration.safeParse(text).success).toBe(false)
  })

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, null, true, {}])('%s is none', (value) => {
    expect(Duration.safeParse(value).success).toBe(false)
  })

  test('as a number is milliseconds', () => {
    expect([Duration.parse(250), Duration.parse(-1)]).toEqual([250, -1])
  })

  test('is refused below what its field allows', () => {
    expect(['-1ms', '0s', '1ms'].map((text) => NonNegativeDuration.safeParse(text).success)).toEqual([
      false,
      true,
      true,
    ])
    expect(['-1ms', '0s', '1ms'].map((text) => PositiveDuration.safeParse(text).success)).toEqual([
      false,
      false,
      true,
    ])
  })

  test('that is none says how to write one', () => {
    expect(Duration.safeParse('soon').error?.issues[0]?.message).toMatch(/"soon"; write 250ms, 5s/)
  })

  test.each([
    [true, 'not a duration: true; write 250ms, 5s, 10m, 1h or 2d'],
    [{}, 'not a duration: {}; write 250ms, 5s, 10m, 1h or 2d'],
    ['soon', 'not a duration: "soon"; write 250ms, 5s, 10m, 1h or 2d'],
    [undefined, 'missing: write 250ms, 5s, 10m, 1h or 2d'],
  ])('%j is refused with what to write', (value, message) => {
    expect(Duration.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  test('is not repeated at length when it is none', () => {
    const [issue] = Duration.safeParse('x'.repeat(10_000)).error?.issues ?? []
    expect(issue?.message.length).toBeLessThan(200)
  })
})

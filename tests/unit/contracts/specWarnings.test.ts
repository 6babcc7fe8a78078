import { describe, expect, test } from 'vitest'
import { demoSpec } from '../../../server/cli/demo/spec'
import { defaultViews } from '../../../server/contracts/defaultViews'
import { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import { estimatedStateMb, specWarnings } from '../../../server/contracts/specWarnings'
import { ID_BYTES, ROW_BYTES } from '../../../server/contracts/stateEstimate'
import { day, minute, session } from './refusals'

const spec = (over: Record<string, unknown> = {}) => PipelineSpec.parse({ views: [minute], ...over })
const warnings = (over: Record<string, unknown>) =>
  specWarnings(spec(over)).map(({ path, message }) => `${path}: ${message}`)
const bounded = (bound: string) => ({ strategy: { kind: 'bounded', bound } })
const byUser = { ...minute, groupBy: ['userId'] }

/** What is said, where; with which definition; and the nearest one of which it is not said. */
type Case = [path: string, says: RegExp, over: Record<string, unknown>, enough: Record<string, unknown>]

const CASES: Case[] = [
  ['idleTimeout', /once a second.*2s/, { idleTimeout: 1_999 }, { idleTimeout: 2_000 }],
  [
    'sources.1.idleTimeout',
    /once a second/,
    { sources: [{ name: 'a' }, { name: 'b', idleTimeout: 500 }] },
    { sources: [{ name: 'a' }, { name: 'b', idleTimeout: 500, test: true }] },
  ],
  [
    'idleTimeout',
    /while a is silent/,
    { idleTimeout: null, sources: [{ name: 'a' }] },
    {
      idleTimeout: null,
      sources: [
        { name: 'a', idleTimeout: '1m' },
        { name: 'b', test: true },
      ],
    },
  ],
  [
    'idleTimeout',
    /each of 2 declared sources is silent/,
    { idleTimeout: null, sources: [{ name: 'a' }, { name: 'b' }] },
    { idleTimeout: null },
  ],
  ['strategy.bound', /1m .*1h 1ms after they end/, bounded('3600001ms'), bounded('1h')],
  [
    'sources.0.strategy.bound',
    /2h after they end/,
    { sources: [{ name: 'a', ...bounded('2h') }] },
    { sources: [{ name: 'a', ...bounded('1m') }] },
  ],
  [
    'allowedLateness',
    /bound of 0 as well/,
    { allowedLateness: 0, strategy: { kind: 'ascending' } },
    { allowedLateness: 1, strategy: { kind: 'ascending' } },
  ],
  [
    'allowedLateness',
    /bound of 0 as well/,
    { allowedLateness: 0, sources: [{ name: 'a', ...bounded('0s') }] },
    { allowedLateness: 0, sources: [{ name: 'a', strategy: { kind: 'punctuated' } }] },
  ],
  ['closeByInactivity', /idle timeout of 1m/, { closeByInactivity: 59_999 }, { closeByInactivity: '1m' }],
  [
    'closeByInactivity',
    /bound of 5m/,
    { closeByInactivity: '4m', ...bounded('5m') },
    { closeByInactivity: '5m', ...bounded('5m') },
  ],
  ['maxAge', /too_old after 10m.*10m 5s/, { maxAge: '10m' }, { maxAge: 605_000 }],
  [
    'sources.0.maxAge',
    /too_old after 1m/,
    { sources: [{ name: 'a', maxAge: '1m' }] },
    { sources: [{ name: 'a', maxAge: null }] },
  ],
  ['maxFutureSkew', /30d ahead/, { maxFutureSkew: '30d' }, { maxFutureSkew: 3_599_999 }],
  ['maxFutureSkew', /2h ahead/, { maxFutureSkew: '2h' }, { maxFutureSkew: '2h', allowedLateness: '2h' }],
  [
    'maxDrift',
    /without effect/,
    { maxDrift: '1m', sources: [{ name: 'a' }] },
    { maxDrift: '1m', sources: [{ name: 'a', pulled: true }] },
  ],
  [
    'allowedLateness',
    /1d .*\(m\).* MB/,
    { allowedLateness: '1d', views: [{ ...minute, groupBy: ['till'], maxKeys: 100_000 }] },
    { allowedLateness: '1d', views: [{ ...minute, groupBy: ['till'], maxKeys: 99_999 }] },
  ],
  [
    'allowedLateness',
    /\(m\)/,
    { allowedLateness: '1d', views: [byUser] },
    { allowedLateness: '23h', views: [byUser] },
  ],
  [
    'lateRules.reinjectUpTo',
    /up to 500\.00 is re-injected, however late; set reinjectUpTo/,
    { lateRules: { maxAmount: '500.00' } },
    { lateRules: { maxAmount: '500.00', reinjectUpTo: '30d' } },
  ],
  [
    'lateRules',
    /up to 1d ago change by themselves/,
    { lateRules: { reinjectUpTo: '1d' } },
    { lateRules: { reinjectUpTo: '23h' } },
  ],
  [
    'lateRules',
    /nothing is re-injected: sessions/,
    {
      lateRules: { reinjectUpTo: '1h' },
      views: [minute, { id: 's', window: { kind: 'session', gap: '5m' } }],
    },
    { views: [minute, { id: 's', window: { kind: 'session', gap: '5m' } }] },
  ],
  [
    'maxLiveIds',
    /2d 7h 33m 23s.*99 events a second.*503/,
    { allowedLateness: 199_998_000 },
    { allowedLateness: 199_995_000 },
  ],
]

describe('a definition is warned of', () => {
  test.each(CASES)('at %s, for what it says: %s', (path, says, over, enough) => {
    const [warning, ...more] = warnings(over)
    expect(warning?.slice(0, path.length + 2)).toBe(`${path}: `)
    expect(warning).toMatch(says)
    expect(more).toEqual([])
    expect(warnings(enough)).toEqual([])
  })

  test('not as a new pipeline starts, nor for the demo, nor without tzdata', () => {
    expect(specWarnings(PipelineSpec.parse({ views: defaultViews('Asia/Shanghai') }))).toEqual([])
    expect(specWarnings(demoSpec())).toEqual([])
    expect(warnings({ views: [minute, day('UTC')], tzdata: null })).toEqual([])
  })

  test('not for many keys without dimensions, or by arrival', () => {
    expect(warnings({ allowedLateness: '1d', views: [{ ...minute, maxKeys: 1_000_000 }] })).toEqual([])
    const arrivals = { ...byUser, id: 'arrivals', time: 'journal' }
    expect(warnings({ allowedLateness: '1d', views: [minute, arrivals] })).toEqual([])
  })
})

describe('the estimated state', () => {
  const ids = 1_000_000
  /** Rows that an estimate counts, of one view beside the ids. */
  const rows = (view: Record<string, unknown>, over: Record<string, unknown> = {}) => {
    const one = { groupBy: ['till'], maxKeys: 1_000_000, ...view }
    const mb = estimatedStateMb(spec({ maxLiveIds: ids, ...over, views: [{ id: 'x', ...one }] }))
    return Math.round((mb * 1_000_000 - ids * ID_BYTES) / ROW_BYTES / one.maxKeys)
  }
  const wait = { allowedLateness: '10m', ...bounded('5s') }

  test.each<[number, Record<string, unknown>]>([
    // 605 s are 10.08 minutes: eleven, and the one that is open.
    [12, minute.window],
    [2, day('UTC').window],
    [2, { ...day('UTC').window, unit: 'month' }],
    // An hour's windows begin every 5 minutes: those of 10.08 + 55 minutes, and one.
    [15, { kind: 'sliding', size: '1h', slide: '5m' }],
    [8, { kind: 'cumulate', step: '10m', within: { kind: 'tumbling', size: '1h' } }],
    [146, { kind: 'cumulate', step: '10m', within: day('UTC').window }],
    [2, session.window],
  ])('counts %d windows of L and B: %j', (windows, window) => {
    expect(rows({ window }, wait)).toBe(windows)
  })

  test('goes by the largest bound that counts, learned ones at their most', () => {
    const strategy = { kind: 'adaptive', most: '20m' }
    expect(rows(minute, { allowedLateness: 0, strategy })).toBe(21)
    expect(rows(minute, { ...wait, sources: [{ name: 'a', ...bounded('20m') }] })).toBe(31)
    expect(rows(minute, { ...wait, sources: [{ name: 'a', test: true, ...bounded('20m') }] })).toBe(12)
    expect(rows(minute, { allowedLateness: 0, strategy: { kind: 'punctuated' } })).toBe(1)
  })

  test('adds up views and ids; a view by arrival holds one window, one without dimensions a row a currency', () => {
    const arrivals = { ...minute, id: 'a', time: 'journal', groupBy: ['till'], maxKeys: 1_000_000 }
    const views = [{ ...minute, maxKeys: 1_000_000 }, arrivals]
    const bytes = 1_000_000 * ROW_BYTES + 20_000_000 * ID_BYTES
    expect(estimatedStateMb(spec({ views }))).toBe(Math.ceil(bytes / 1_000_000) + 1)
  })
})

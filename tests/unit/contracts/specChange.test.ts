import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultViews } from '../../../server/contracts/defaultViews'
import { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import { specChange } from '../../../server/contracts/specChange'
import { day, minute } from './refusals'

const hour = { id: 'h', window: { kind: 'tumbling', size: '1h' }, groupBy: ['region'] }
const web = { name: 'web' }
const IN_FORCE = { sources: [web, { name: 'pos' }], views: [minute, hour] }
const spec = (over: Record<string, unknown> = {}) => PipelineSpec.parse({ ...IN_FORCE, ...over })
const fromTo = (from: Record<string, unknown>, to: Record<string, unknown>) =>
  specChange(spec(from), spec(to))
const sources = (...list: unknown[]) => ({ sources: list })
const views = (...list: unknown[]) => ({ views: list })

const AT_ONCE: [text: string, over: Record<string, unknown>][] = [
  ['business zone UTC → Asia/Shanghai', { zone: 'Asia/Shanghai' }],
  ['strategy bounded 5s → ascending', { strategy: { kind: 'ascending' } }],
  ['idle timeout 1m → off', { idleTimeout: null }],
  ['allowed lateness 10m → 1h', { allowedLateness: '1h' }],
  ['future skew at most 5m → 5m 1ms', { maxFutureSkew: 300_001 }],
  ['age at most off → 1d', { maxAge: '1d' }],
  ['closing by inactivity off → 10m', { closeByInactivity: '10m' }],
  ['drift at most off → 1m 30s', { maxDrift: 90_000 }],
  ['corrections coalesced by record → event', { coalesce: 'event' }],
  ['sources at most 1,000 → 2,000', { maxSources: 2_000 }],
  ['live ids at most 20,000,000 → 1,000', { maxLiveIds: 1_000 }],
  [
    'late events re-injected by themselves off → late by at most 1h, amounts up to 500.00',
    { lateRules: { reinjectUpTo: '1h', maxAmount: '500.00' } },
  ],
  ['tzdata not recorded → 2025c', { tzdata: '2025c' }],
  ['view h: keys a window 10,000 → 20,000', views(minute, { ...hour, maxKeys: 20_000 })],
  ['source pos removed', sources(web)],
  ['source app added', sources(web, { name: 'pos' }, { name: 'app' })],
  [
    "source app added; strategy the pipeline's → bounded 10s; test no → yes",
    sources(web, { name: 'pos' }, { name: 'app', strategy: { kind: 'bounded', bound: '10s' }, test: true }),
  ],
  ["source pos: idle timeout the pipeline's → off", sources(web, { name: 'pos', idleTimeout: null })],
  ["source pos: age at most the pipeline's → 1h", sources(web, { name: 'pos', maxAge: '1h' })],
  ['source pos: pulled no → yes', sources(web, { name: 'pos', pulled: true })],
  ['source pos: strict no → yes', sources(web, { name: 'pos', strict: true })],
  ['source pos: unit ms → s', sources(web, { name: 'pos', unit: 's' })],
  [
    'source pos: mapped fields none → amount from "total"',
    sources(web, { name: 'pos', map: { amount: 'total' } }),
  ],
]

const BY_BACKFILL: [path: string, says: RegExp, over: Record<string, unknown>][] = [
  [
    'views.1.window',
    /view h: window 1h → 2h;/,
    views(minute, { ...hour, window: { kind: 'tumbling', size: '2h' } }),
  ],
  [
    'views.1.window',
    /1h → 1h offset 1m;/,
    views(minute, { ...hour, window: { ...hour.window, offset: '1m' } }),
  ],
  ['views.1.window', /1h → calendar day of UTC;/, views(minute, { ...hour, window: day('UTC').window })],
  ['views.1.time', /time event → journal;/, views(minute, { ...hour, time: 'journal' })],
  ['views.1.version', /version 1 → 2;/, views(minute, { ...hour, version: 2 })],
  ['views.1.groupBy', /"region" → none;/, views(minute, { ...hour, groupBy: [] })],
  [
    'views.1.groupBy',
    /"region" → "region", "till";/,
    views(minute, { ...hour, groupBy: ['region', 'till'] }),
  ],
  ['views.2', /view n is new;/, views(minute, hour, { ...minute, id: 'n' })],
  ['views', /view h is left out;/, views(minute)],
  ['views', /another order;/, views(hour, minute)],
]

describe('a change of definition', () => {
  test.each(AT_ONCE)('holds at once: %s', (text, over) => {
    expect(fromTo({}, over)).toEqual({ immediate: [text], needsBackfill: [] })
  })

  test.each(BY_BACKFILL)('needs a back-fill, at %s: %s', (path, says, over) => {
    const { immediate, needsBackfill } = fromTo({}, over)
    expect(immediate).toEqual([])
    expect(needsBackfill).toEqual([{ path, message: expect.stringMatching(says) }])
    expect(needsBackfill[0]?.message).toMatch(/back-fill/)
  })

  test.each([
    ['days', day('UTC')],
    ['steps to a day', { id: 'c', window: { kind: 'cumulate', step: '1h', within: day('UTC').window } }],
  ])('of tzdata needs a back-fill where there are %s', (_, view) => {
    const { immediate, needsBackfill } = fromTo(
      { ...views(minute, view), tzdata: '2025a' },
      {
        ...views(minute, view),
        tzdata: '2025c',
      },
    )
    expect(immediate).toEqual([])
    expect(needsBackfill).toEqual([{ path: 'tzdata', message: expect.stringContaining('2025a → 2025c') }])
  })

  test('is none of another version, another order of sources or of fields, or the same in other words', () => {
    const none = { immediate: [], needsBackfill: [] }
    expect(fromTo({}, { version: 7 })).toEqual(none)
    expect(fromTo({}, sources({ name: 'pos' }, web))).toEqual(none)
    expect(fromTo({}, { allowedLateness: '600s', views: [{ ...minute, groupBy: [] }, hour] })).toEqual(none)
    const all = PipelineSpec.parse({ views: defaultViews('Asia/Shanghai') })
    expect(specChange(all, structuredClone(all))).toEqual(none)
  })

  test('names a view by its place in the new definition', () => {
    const wide = { ...hour, groupBy: [] }
    const { needsBackfill } = fromTo(views({ ...minute, id: 'gone' }, hour), views(wide))
    expect(needsBackfill.map(({ path }) => path)).toEqual(['views.0.groupBy', 'views'])
  })

  test('back again says the same things the other way round', () => {
    fc.assert(
      fc.property(
        fc.subarray([...AT_ONCE.map(([, over]) => over), ...BY_BACKFILL.map(([, , over]) => over)]),
        (list) => {
          const to = Object.assign({}, ...list) as Record<string, unknown>
          const [there, back] = [fromTo({}, to), fromTo(to, {})]
          expect(there.immediate.length).toBe(back.immediate.length)
          expect(there.needsBackfill.length).toBe(back.needsBackfill.length)
          expect(there.immediate.length + there.needsBackfill.length > 0).toBe(list.length > 0)
          for (const text of there.immediate) {
            const [, before, after] = /(\S+) → (\S+)$/.exec(text) ?? [null, 'a', 'b']
            expect(before).not.toBe(after)
          }
        },
      ),
    )
  })
})

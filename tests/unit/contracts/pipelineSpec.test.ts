import { describe, expect, test } from 'vitest'
import { defaultViews } from '../../../server/contracts/defaultViews'
import { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import { minute, type Refused, refusals } from './refusals'

const adaptive = (over: Record<string, unknown>) => ({ strategy: { kind: 'adaptive', ...over } })
const source = (over: Record<string, unknown>) => ({ sources: [{ name: 'a', ...over }] })

const REFUSED: readonly Refused[] = [
  ['a negative bound', 'strategy.bound', /0 or more/, { strategy: { kind: 'bounded', bound: '-1s' } }],
  ['a bound without unit', 'strategy.bound', /5s/, { strategy: { kind: 'bounded', bound: '5' } }],
  ['an unknown strategy', 'strategy.kind', /'bounded' \|.*'adaptive'/, { strategy: { kind: 'hopeful' } }],
  ['an adaptive bound of at least more than at most', 'strategy.least', /most/, adaptive({ least: '6m' })],
  ['a negative least bound', 'strategy.least', /0 or more/, adaptive({ least: -1 })],
  ['steps of no time', 'strategy.every', /more than 0/, adaptive({ every: 0 })],
  ['a sample that is never full', 'strategy.atLeast', /sample/, adaptive({ sample: 100, atLeast: 101 })],
  ['a percentile over 100', 'strategy.percentile', /<=100/, adaptive({ percentile: 101 })],
  ['a factor of 0', 'strategy.factor', />0/, adaptive({ factor: 0 })],
  ['negative lateness', 'allowedLateness', /0 or more/, { allowedLateness: -1 }],
  ['an idle timeout of 0', 'idleTimeout', /more than 0/, { idleTimeout: 0 }],
  ['a negative future skew', 'maxFutureSkew', /0 or more/, { maxFutureSkew: '-1s' }],
  ['a greatest age of 0', 'maxAge', /more than 0/, { maxAge: '0s' }],
  ['closing after no silence', 'closeByInactivity', /more than 0/, { closeByInactivity: 0 }],
  ['a drift of 0', 'maxDrift', /more than 0/, { maxDrift: 0 }],
  ['an unknown zone', 'zone', /IANA.*Asia\/Shanghai/, { zone: 'Mars/Olympus' }],
  ['an offset for a zone', 'zone', /IANA/, { zone: '+08:00' }],
  ['unknown coalescing', 'coalesce', /"record"\|"event"/, { coalesce: 'sometimes' }],
  ['room for no source', 'maxSources', />=1/, { maxSources: 0 }],
  [
    'room for fewer sources than are declared',
    'maxSources',
    /the 2 sources/,
    { maxSources: 1, sources: [{ name: 'a' }, { name: 'b' }] },
  ],
  [
    'a rule with a wrong amount',
    'lateRules.maxAmount',
    /decimal such as "500.00"/,
    { lateRules: { maxAmount: '1e3' } },
  ],
  ['a rule in no unit', 'lateRules.reinjectUpTo', /not a duration/, { lateRules: { reinjectUpTo: '5' } }],
  ['room for few ids', 'maxLiveIds', />=1000/, { maxLiveIds: 999 }],
  ['a bad name of a source', 'sources.0.name', /letters/, { sources: [{ name: 'a b' }] }],
  ['a second source of one name', 'sources.1.name', /another/, { sources: [{ name: 'a' }, { name: 'a' }] }],
  [
    'a negative bound of a source',
    'sources.0.strategy.bound',
    /0 or more/,
    source({ strategy: { kind: 'bounded', bound: -1 } }),
  ],
  ['a unit of time that is none', 'sources.0.unit', /"ms"\|"s"/, source({ unit: 'min' })],
  [
    'a map of a field that is none of ours',
    'sources.0.map.amout',
    /amount/,
    source({ map: { amout: 'total' } }),
  ],
  ['no views', 'views', />=1/, { views: [] }],
  [
    'seventeen views',
    'views',
    /<=16/,
    { views: Array.from({ length: 17 }, (_, i) => ({ ...minute, id: `m${i}` })) },
  ],
  ['a bad id of a view', 'views.0.id', /small letters/, { views: [{ ...minute, id: 'Gmv' }] }],
  ['a second view of one id', 'views.1.id', /another view/, { views: [minute, minute] }],
  ['a cap of no key', 'views.0.maxKeys', />=1/, { views: [{ ...minute, maxKeys: 0 }] }],
  ['nine dimensions', 'views.0.groupBy', /<=8/, { views: [{ ...minute, groupBy: [...'abcdefghi'] }] }],
  [
    'a dimension named twice',
    'views.0.groupBy.2',
    /region is named twice/,
    { views: [{ ...minute, groupBy: ['region', 'channel', 'region'] }] },
  ],
  ['a misspelt setting', '', /"idleTimout".*idleTimeout/, { idleTimout: '5s' }],
  [
    'a misspelt setting of a strategy',
    'strategy',
    /"bond".*bound/,
    { strategy: { kind: 'bounded', bound: 1, bond: 1 } },
  ],
  ['a misspelt setting of a source', 'sources.0', /"idletimeout".*idleTimeout/, source({ idletimeout: 1 })],
  ['a misspelt setting of a view', 'views.0', /"groupby".*groupBy/, { views: [{ ...minute, groupby: [] }] }],
]

describe('a pipeline', () => {
  test('has the defaults of semantics.md §8', () => {
    expect(PipelineSpec.parse({ views: [minute] })).toEqual({
      version: 1,
      zone: 'UTC',
      strategy: { kind: 'bounded', bound: 5_000 },
      idleTimeout: 60_000,
      allowedLateness: 600_000,
      maxFutureSkew: 300_000,
      maxAge: null,
      closeByInactivity: null,
      maxDrift: null,
      coalesce: 'record',
      maxSources: 1_000,
      maxLiveIds: 20_000_000,
      lateRules: { reinjectUpTo: null, maxAmount: null },
      tzdata: null,
      sources: [],
      views: [
        {
          id: 'm',
          version: 1,
          window: { kind: 'tumbling', size: 60_000, offset: 0 },
          time: 'event',
          groupBy: [],
          maxKeys: 10_000,
        },
      ],
    })
  })

  test('has the adaptive strategy of semantics.md §2', () => {
    expect(PipelineSpec.parse({ views: [minute], ...adaptive({}) }).strategy).toEqual({
      kind: 'adaptive',
      initial: 30_000,
      every: 10_000,
      sample: 1_000,
      atLeast: 200,
      percentile: 95,
      factor: 1.5,
      least: 5_000,
      most: 300_000,
      fall: 20,
    })
  })

  test('starts with views that it accepts itself, in any zone', () => {
    for (const zone of ['Asia/Shanghai', 'Asia/Kathmandu', 'America/St_Johns']) {
      expect(refusals({ views: defaultViews(zone), zone })).toEqual([])
    }
  })

  test.each(REFUSED)('with %s is refused for that alone, at %s', (_, path, says, over) => {
    const [refusal, ...more] = refusals(over)
    expect(refusal?.slice(0, path.length + 2)).toBe(`${path}: `)
    expect(refusal).toMatch(says)
    expect(more).toEqual([])
  })

  test.each<[string, Record<string, unknown>]>([
    ['idleness off', { idleTimeout: null }],
    ['a bound of 0', { strategy: { kind: 'bounded', bound: 0 } }],
    ['equal least and most bounds', adaptive({ least: '5m', most: '5m' })],
    ['sixteen views', { views: Array.from({ length: 16 }, (_, i) => ({ ...minute, id: `m${i}` })) }],
    [
      'all of a source',
      source({ test: true, pulled: true, maxAge: null, map: { 'dimensions.till': 'pos' } }),
    ],
  ])('with %s is accepted', (_, over) => {
    expect(refusals(over)).toEqual([])
  })

  test('is read back as it was written', () => {
    const spec = PipelineSpec.parse({ views: defaultViews('Asia/Shanghai'), ...adaptive({}), ...source({}) })
    expect(PipelineSpec.parse(JSON.parse(JSON.stringify(spec)))).toEqual(spec)
  })

  test('that was stored before there were these settings is read with their defaults', () => {
    const stored = {
      version: 1,
      zone: 'Asia/Shanghai',
      strategy: { kind: 'bounded', bound: 5000 },
      idleTimeout: 20000,
      allowedLateness: 600000,
      maxFutureSkew: 300000,
      maxAge: null,
      coalesce: 'record',
      sources: [
        { name: 'web', strict: false, unit: 'ms', map: {} },
        {
          name: 'pos',
          strategy: { kind: 'bounded', bound: 10000 },
          strict: true,
          unit: 's',
          map: { amount: 'a' },
        },
      ],
      views: [
        {
          id: 'gmv_1m',
          version: 1,
          window: { kind: 'tumbling', size: 60000, offset: 0 },
          groupBy: ['region'],
          maxKeys: 10000,
        },
        {
          id: 'gmv_day',
          version: 1,
          window: { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' },
          groupBy: [],
          maxKeys: 10000,
        },
      ],
    }
    expect(PipelineSpec.parse(stored)).toMatchObject({
      ...stored,
      maxSources: 1_000,
      tzdata: null,
      sources: [{ test: false }, { pulled: false }],
      views: [{ time: 'event' }, { window: { dayStart: '00:00' } }],
    })
  })
})

import { describe, expect, test } from 'vitest'
import {
  baseView,
  defaultViews,
  PipelineSpec,
  totalView,
  ViewSpec,
} from '../../../server/contracts/pipelineSpec'
import { tumbling } from '../../support/engine'

const minute = { id: 'm', window: { kind: 'tumbling', size: '1m' } }
const day = (zone: string) => ({ id: 'd', window: { kind: 'calendar', unit: 'day', zone } })

/** Paths of the fields that a spec is refused for. */
function refusals(over: Record<string, unknown>): string[] {
  const result = PipelineSpec.safeParse({ views: [minute], ...over })
  return result.success ? [] : result.error.issues.map((issue) => issue.path.join('.'))
}

describe('a pipeline', () => {
  test('has the defaults of semantics.md §8', () => {
    expect(PipelineSpec.parse({ views: [minute] })).toMatchObject({
      strategy: { kind: 'bounded', bound: 5_000 },
      idleTimeout: 60_000,
      allowedLateness: 600_000,
      maxFutureSkew: 300_000,
      maxAge: null,
      coalesce: 'record',
      views: [{ maxKeys: 10_000, groupBy: [], window: { size: 60_000, offset: 0 } }],
    })
  })

  test('starts with views that it accepts itself, in any zone', () => {
    for (const zone of ['Asia/Shanghai', 'Asia/Kathmandu', 'America/St_Johns']) {
      expect(refusals({ views: defaultViews(zone), zone })).toEqual([])
    }
  })

  test.each<[string, string, Record<string, unknown>]>([
    ['negative bound', 'strategy.bound', { strategy: { kind: 'bounded', bound: '-1s' } }],
    ['bound without unit', 'strategy.bound', { strategy: { kind: 'bounded', bound: '5' } }],
    ['unknown strategy', 'strategy.kind', { strategy: { kind: 'hopeful' } }],
    ['negative lateness', 'allowedLateness', { allowedLateness: -1 }],
    ['idle timeout of 0', 'idleTimeout', { idleTimeout: 0 }],
    ['unknown zone', 'zone', { zone: 'Mars/Olympus' }],
    ['unknown coalescing', 'coalesce', { coalesce: 'sometimes' }],
    ['pipeline without views', 'views', { views: [] }],
    ['window of size 0', 'views.0.window.size', { views: [{ id: 'm', window: tumbling(0) }] }],
    [
      'offset as large as the size',
      'views.0.window.offset',
      { views: [{ id: 'm', window: tumbling(10, 10) }] },
    ],
    [
      'offset as large, negative',
      'views.0.window.offset',
      { views: [{ id: 'm', window: tumbling(10, -10) }] },
    ],
    ['unknown kind of window', 'views.0.window.kind', { views: [{ id: 'm', window: { kind: 'lunar' } }] }],
    ['bad id of a view', 'views.0.id', { views: [{ ...minute, id: 'Gmv' }] }],
    ['second view of one id', 'views.1.id', { views: [minute, minute] }],
    ['cap of no key', 'views.0.maxKeys', { views: [{ ...minute, maxKeys: 0 }] }],
    ['nine dimensions', 'views.0.groupBy', { views: [{ ...minute, groupBy: [...'abcdefghi'] }] }],
    ['bad name of a source', 'sources.0.name', { sources: [{ name: 'a b' }] }],
    ['second source of one name', 'sources.1.name', { sources: [{ name: 'a' }, { name: 'a' }] }],
    [
      'negative bound of a source',
      'sources.0.strategy.bound',
      { sources: [{ name: 'a', strategy: { kind: 'bounded', bound: -1 } }] },
    ],
    [
      'hour that minutes do not fill',
      'views.1.window',
      { views: [minute, { id: 'h', window: tumbling(90_000) }] },
    ],
    [
      'hour that begins within a minute',
      'views.1.window',
      { views: [minute, { id: 'h', window: tumbling(3_600_000, 1) }] },
    ],
    [
      'day over minutes with an offset',
      'views.1.window',
      { views: [{ id: 'm', window: tumbling(60_000, 1) }, day('UTC')] },
    ],
    [
      'day that its base does not fill',
      'views.1.window',
      { views: [{ id: 'm', window: tumbling(1_800_000) }, day('UTC')] },
    ],
    [
      'day of another zone, without minutes to judge both by',
      'views.1.window',
      { views: [day('Europe/Berlin'), { ...day('Asia/Shanghai'), id: 'other' }] },
    ],
    [
      'map of a field that is none of ours',
      'sources.0.map.amout',
      { sources: [{ name: 'a', map: { amout: 'total' } }] },
    ],
    ['day of an unknown zone', 'views.1.window.zone', { views: [minute, day('Mars/Olympus')] }],
    ['only day, of an unknown zone', 'views.0.window.zone', { views: [day('Mars/Olympus')] }],
  ])('with a %s is refused at %s', (_, path, over) => {
    expect(refusals(over)).toContain(path)
  })

  test.each<[string, Record<string, unknown>]>([
    ['idleness off', { idleTimeout: null }],
    ['a bound of 0', { strategy: { kind: 'bounded', bound: 0 } }],
    [
      'an hour with a whole number of minutes of offset',
      { views: [minute, { id: 'h', window: tumbling(3_600_000, -120_000) }] },
    ],
    ['the finer view named last', { views: [{ id: 'h', window: tumbling(3_600_000) }, minute] }],
    ['only a day', { views: [day('Asia/Shanghai')] }],
  ])('with %s is accepted', (_, over) => {
    expect(refusals(over)).toEqual([])
  })
})

describe('the base view', () => {
  const views = (...list: unknown[]) => list.map((view) => ViewSpec.parse(view))

  test('is the finest tumbling one, wherever it stands, the first of equals, or the only view', () => {
    const hour = { id: 'h', window: tumbling(3_600_000) }
    expect(baseView(views(day('UTC'), hour, minute, { ...minute, id: 'n' })).id).toBe('m')
    expect(baseView(views(day('UTC'))).id).toBe('d')
    expect(() => baseView([])).toThrow(RangeError)
  })

  test('for totals is the finest one without dimensions, where there is one', () => {
    const by = { ...minute, groupBy: ['region'] }
    expect(totalView(views(by, { id: 'h', window: tumbling(3_600_000) })).id).toBe('h')
    expect(totalView(views(by)).id).toBe('m')
  })
})

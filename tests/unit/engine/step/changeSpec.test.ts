import { describe, expect, test } from 'vitest'
import type { PipelineSpec } from '../../../../server/contracts/pipelineSpec'
import { takeSnapshot } from '../../../../server/engine/snapshot'
import { inForce } from '../../../support/anyProgram'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

const day = { kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' } as const
const views: SpecInput['views'] = [
  { id: 'm', window: tumbling(1000), groupBy: ['k'] },
  { id: 'd', window: day },
]

/** Gives the definition in force with some of it changed; returns why it was refused, or null. */
function change(
  run: Run,
  over: (now: PipelineSpec) => Partial<PipelineSpec>,
  at = run.state.at,
): string | null {
  const now = inForce(run)
  return run.command({ kind: 'changeSpec', spec: { ...now, ...over(now) } }, at).command?.refused ?? null
}

/** All of the state but position and time of the last record. */
function stateOf(run: Run): unknown {
  return [inForce(run), takeSnapshot(run.state).filter((segment) => segment.name !== 'meta')]
}

const begun = (over: SpecInput = {}) => {
  const run = new Run({ views, strategy: { kind: 'bounded', bound: 100 }, ...over })
  run.events({ ts: 500, dims: { k: 'x' } }, { ts: 1600 })
  return run
}

describe('a new definition holds from its position on', () => {
  test('and has the next version, whatever it said of that itself', () => {
    const run = begun()
    const { command } = run.command({ kind: 'changeSpec', spec: { ...inForce(run), version: 77, maxAge: 9 } })
    expect(command).toMatchObject({ kind: 'changeSpec', refused: null })
    expect(command?.changes.length).toBeGreaterThan(0)
    expect(inForce(run)).toMatchObject({ version: 2, maxAge: 9 })
  })

  test('with another bound: the watermark rises at once where it is smaller', () => {
    const run = begun()
    expect(change(run, () => ({ strategy: { kind: 'ascending' } }))).toBeNull()
    expect(run.watermark).toBe(1599)
  })

  test('with another idle timeout, from when the sources last spoke', () => {
    const run = begun()
    change(run, () => ({ idleTimeout: 10 }), 8)
    run.tick(11)
    expect(run.state.clock.idleSources()).toEqual(['a'])
  })

  test('with a revision for each event, or one a record', () => {
    const run = begun({ allowedLateness: 9000 })
    change(run, () => ({ coalesce: 'event' }))
    const late = (id: string) => ({ ts: 600, id, dims: { k: 'x' } })
    const { revisions } = run.events(late('p'), late('q'))
    expect(revisions.map((r) => r.eventIds)).toEqual([['p'], ['q']])
  })

  test('with another cap on keys: a key that is there stays, new ones fold', () => {
    const run = begun()
    run.events({ ts: 1700, dims: { k: 'y' } })
    expect(change(run, ({ views }) => ({ views: views.map((v) => ({ ...v, maxKeys: 1 })) }))).toBeNull()
    run.events({ ts: 1800, dims: { k: 'y' } }, { ts: 1800, dims: { k: 'z' } })
    expect(run.row('m', 1000, '["USD","y"]')?.events).toBe(2)
    expect(run.row('m', 1000, '["USD","__other__"]')?.events).toBe(1)
    expect(run.row('m', 1000, '["USD","z"]')).toBeUndefined()
  })

  test('with windows that inactivity closes', () => {
    const run = begun()
    change(run, () => ({ closeByInactivity: 100 }), 50)
    expect(run.revisions.map((r) => r.kind)).toEqual(['on-time'])
    run.tick(101)
    expect(run.revisions.filter((r) => r.kind === 'inactivity').map((r) => r.start)).toContain(1000)
  })

  test('with sources more or fewer: one joins and holds, one that is not named any more is retired', () => {
    const run = begun()
    const source = { name: 'n', test: false, pulled: false, strict: false, unit: 'ms' as const, map: {} }
    change(run, () => ({ sources: [source] }))
    run.events({ ts: 9000 })
    expect(run.watermark).toBe(1499)
    change(run, () => ({ sources: [] }))
    expect(run.watermark).toBe(1499)
    run.tick(1)
    expect(run.watermark).toBe(8899)
  })

  test('after a restart too', () => {
    const run = begun()
    change(run, () => ({ coalesce: 'event', allowedLateness: 77 }))
    run.restart()
    expect(inForce(run)).toMatchObject({ version: 2, coalesce: 'event', allowedLateness: 77 })
  })
})

describe('what needs a back-fill changes nothing until it is filled', () => {
  test.each<[string, (now: PipelineSpec) => Partial<PipelineSpec>]>([
    [
      'another size',
      ({ views }) => ({ views: views.map((v) => (v.id === 'm' ? { ...v, window: tumbling(500) } : v)) }),
    ],
    [
      'another start of the day',
      ({ views }) => ({
        views: views.map((v) =>
          v.window.kind === 'calendar' ? { ...v, window: { ...v.window, dayStart: '04:00' } } : v,
        ),
      }),
    ],
    [
      'another zone',
      ({ views }) => ({
        views: views.map((v) =>
          v.window.kind === 'calendar' ? { ...v, window: { ...v.window, zone: 'Asia/Shanghai' } } : v,
        ),
      }),
    ],
    ['other dimensions', ({ views }) => ({ views: views.map((v) => ({ ...v, groupBy: ['k', 'more'] })) })],
    [
      'a view by journal time',
      ({ views }) => ({ views: views.map((v) => (v.id === 'd' ? { ...v, time: 'journal' } : v)) }),
    ],
    [
      'a new view',
      ({ views }) => ({ views: [...views, { ...views[0], id: 'more' } as PipelineSpec['views'][0]] }),
    ],
    ['a view less', ({ views }) => ({ views: views.slice(0, 1) })],
  ])('%s, and is refused together with a change that could hold at once', (_, over) => {
    const run = begun({ allowedLateness: 50 })
    const before = stateOf(run)
    expect(change(run, (now) => ({ ...over(now), allowedLateness: 999 }))).toEqual(expect.any(String))
    change(run, over)
    expect(stateOf(run)).toEqual(before)
  })

  test('one at a time, until it is given up', () => {
    const run = begun()
    const more = ({ views }: PipelineSpec) => ({
      views: [...views, { ...views[0], id: 'more' } as PipelineSpec['views'][0]],
    })
    expect(change(run, more)).toBeNull()
    expect(change(run, more)).toContain('still being filled')
    run.restart()
    expect(change(run, more)).toContain('still being filled')
    expect(run.command({ kind: 'cancelChange' }).command?.refused).toBeNull()
    expect(run.command({ kind: 'cancelChange' }).command?.refused).toContain('no change is under way')
    expect(change(run, more)).toBeNull()
  })

  test('windows by which lateness was judged are not changed', () => {
    const run = begun()
    const wider = ({ views }: PipelineSpec) => ({
      views: views.map((v) => (v.id === 'm' ? { ...v, window: tumbling(500) } : v)),
    })
    expect(change(run, wider)).toContain('decide what is late')
  })

  test('the definition in force, again', () => {
    const run = begun()
    const before = stateOf(run)
    expect(change(run, () => ({}))).toEqual(expect.any(String))
    expect(stateOf(run)).toEqual(before)
  })
})

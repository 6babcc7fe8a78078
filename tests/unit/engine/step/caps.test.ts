import { describe, expect, test } from 'vitest'
import { type Ev, Run, type SpecInput, tumbling } from '../../../support/engine'

const by = (user: string | undefined, over: Partial<Ev> = {}): Ev => ({ ts: 500, user, ...over })
const keys = (run: Run, view = 'm') =>
  [...run.rows.values()].filter((row) => row.view === view).map((row) => [row.key, row.events])

describe('a view by user', () => {
  const views: SpecInput['views'] = [{ id: 'm', window: tumbling(1000), groupBy: ['userId'] }]

  test('has a row for each user, one for events without, and none for what a dimension of that name says', () => {
    const run = new Run({ views })
    run.events(by('u1'), by('u2'), by('u1'), by(undefined), by('u2', { dims: { userId: 'no' } }))
    expect(keys(run)).toEqual([
      ['["USD","u1"]', 2],
      ['["USD","u2"]', 2],
      ['["USD",null]', 1],
    ])
  })

  test('may be by a dimension too, each in its place', () => {
    const run = new Run({ views: [{ id: 'm', window: tumbling(1000), groupBy: ['k', 'userId'] }] })
    run.events(by('u1', { dims: { k: 'u2' } }), by('u2', { dims: { k: 'u1' } }))
    expect(keys(run).map(([key]) => key)).toEqual(['["USD","u2","u1"]', '["USD","u1","u2"]'])
  })

  test('counts its own user as the one buyer of the row', () => {
    const run = new Run({ views })
    run.events(by('u1'), by('u1'), by('u1', { refund: true }), by('u2', { refund: true }))
    expect(run.row('m', 0, '["USD","u1"]')).toMatchObject({ events: 3, orders: 2, buyers: 1 })
    expect(run.row('m', 0, '["USD","u2"]')).toMatchObject({ events: 1, orders: 0, buyers: 0 })
  })

  test('folds users beyond the cap into `__other__`, where distinct buyers stay exact, and tells the view once', () => {
    const run = new Run({ views: views.map((v) => ({ ...v, maxKeys: 2 })) })
    run.events(by('u1'), by('u2'), by('u3'), by('u4'), by('u3'), by('u1'))
    expect(run.row('m', 0, '["USD","__other__"]')).toMatchObject({ events: 3, buyers: 2, orders: 3 })
    expect(keys(run).map(([key]) => key)).toEqual(['["USD","u1"]', '["USD","u2"]', '["USD","__other__"]'])
    expect(run.state.counts.overflow).toBe(3)
    run.events(by('u5', { ts: 600 }), by('u6', { ts: 1500 }))
    expect(run.notices).toEqual([{ kind: 'keys_over_cap', subject: 'm', at: 0, position: 2 }])
  })

  test('takes a user by the name of `__other__` for one of that name', () => {
    const run = new Run({ views: views.map((v) => ({ ...v, maxKeys: 1 })) })
    run.events(by('__other__'), by('u2'))
    expect(keys(run)).toEqual([
      ['["USD","\\\\__other__"]', 1],
      ['["USD","__other__"]', 1],
    ])
  })
})

describe('an event whose key is folded', () => {
  test('counts as overflow once, in however many views it is folded, and has its outcome beside', () => {
    const views = ['m', 'n', 'wide'].map((id) => ({
      ...{ id, window: tumbling(1000), groupBy: ['k'] },
      maxKeys: id === 'wide' ? 9 : 1,
    }))
    const run = new Run({ views })
    run.events(
      { ts: 1, dims: { k: 'x' } },
      { ts: 1, dims: { k: 'y' } },
      { ts: 1, dims: { k: 'y' }, id: 'e1' },
    )
    expect(run.state.counts).toMatchObject({ inTime: 2, overflow: 1, duplicate: 1 })
    expect(run.state.countsBySource.get('a')).toMatchObject({ overflow: 1 })
    expect(run.notices.map((n) => n.subject).sort()).toEqual(['m', 'n'])
  })
})

describe('the cap of a view of overlapping windows', () => {
  const views: SpecInput['views'] = [
    { id: 's', window: { kind: 'sliding', size: 30, slide: 10 }, groupBy: ['k'], maxKeys: 1 },
  ]
  const k = (ts: number, name: string): Ev => ({ ts, dims: { k: name } })

  test('is over its live windows together: a key is not whole in one and folded in the next', () => {
    const run = new Run({ views, strategy: { kind: 'bounded', bound: 500 } })
    run.oneByOne(k(5, 'x'), k(25, 'y'), k(40, 'y'))
    run.end()
    const y = run.revisions.filter((r) => r.dims[0] !== 'x').map((r) => [r.start, r.dims[0], r.after.events])
    expect(y).toEqual([
      [0, '__other__', 1],
      [10, '__other__', 1],
      [20, '__other__', 2],
      [30, '__other__', 1],
      [40, '__other__', 1],
    ])
  })

  test('lets a new key in when the windows of the old one are closed', () => {
    const run = new Run({ views })
    run.oneByOne(k(5, 'x'), k(31, 'y'), k(32, 'z'), k(33, 'y'), k(100, 'q'))
    const rows = [...run.rows.values()]
      .filter((row) => row.windowId === 20)
      .map((row) => [row.key, row.events])
    expect(rows).toEqual([
      ['["USD","__other__"]', 2],
      ['["USD","z"]', 1],
    ])
  })
})

describe('sources beyond the cap', () => {
  test('share one clock and its counters, are told once, and keep ids of their own', () => {
    const run = new Run({ maxSources: 2 })
    const from = (source: string, ts: number) => ({ ts, source, id: 'same' })
    run.oneByOne(from('a', 1), from('b', 2), from('c', 3), from('d', 4), from('d', 4))
    expect([...run.state.clock.sources.keys()]).toEqual(['a', 'b', '__other__'])
    expect(run.state.counts).toMatchObject({ inTime: 4, duplicate: 1, conflict: 0 })
    expect(run.state.countsBySource.get('__other__')).toMatchObject({ received: 3, inTime: 2, duplicate: 1 })
    expect(run.notices).toMatchObject([{ kind: 'sources_over_cap', subject: 'c', position: 4 }])
  })

  test('hold the watermark together, by marks too, and are idle together', () => {
    const over = { maxSources: 1, idleTimeout: 10, sources: [{ name: 'a' }] }
    const run = new Run({ ...over, strategy: { kind: 'punctuated' } })
    run.mark('c', 100, 0)
    run.mark('d', 300, 5)
    run.mark('a', 9000, 9)
    expect(run.watermark).toBe(299)
    run.tick(16)
    expect([run.state.clock.idleSources(), run.watermark]).toEqual([['__other__'], 8999])
  })

  test('cannot be declared by a command, and one that is known goes on', () => {
    const run = new Run({ maxSources: 1 })
    run.events({ ts: 1 })
    expect(run.command({ kind: 'declareSource', source: { name: 'b' } }).command?.refused).toEqual(
      expect.any(String),
    )
    expect(run.command({ kind: 'declareSource', source: { name: 'a' } }).command?.refused).toBeNull()
  })

  test('join with a clock of their own when another has been retired', () => {
    const run = new Run({ maxSources: 1 })
    run.events({ ts: 1 })
    run.command({ kind: 'retireSource', source: 'a' })
    run.events({ ts: 2, source: 'b' })
    expect([...run.state.clock.sources.keys()]).toEqual(['b'])
  })
})

import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../../server/contracts/instant'
import { Run, tumbling } from '../../../support/engine'

const sources = [{ name: 'a' }, { name: 'try', test: true }]
const counts = (run: Run, source?: string) =>
  source === undefined ? run.state.counts : run.state.countsBySource.get(source)

describe('a test source', () => {
  test('is received and shown, and never counted: no outcome, no window, no revision', () => {
    const views = [
      { id: 'm', window: tumbling(1000) },
      { id: 'j', window: tumbling(1000), time: 'journal' as const },
    ]
    const run = new Run({ sources, views })
    run.events({ ts: 500, source: 'try' }, { ts: 9500, source: 'try' })
    expect([...run.rows]).toEqual([])
    const nothing = { received: 0, inTime: 0, corrected: 0, late: 0, duplicate: 0, quarantined: 0 }
    expect(counts(run)).toMatchObject({ ...nothing, test: 2 })
    expect(counts(run, 'try')).toMatchObject({ ...nothing, test: 2 })
    expect(run.state.pipeline?.ids.size).toBe(0)
  })

  test('has a clock of its own and no part in the watermark, neither holding it nor moving it', () => {
    const run = new Run({ sources })
    run.events({ ts: 9000, source: 'try' })
    expect(run.watermark).toBe(MIN_INSTANT)
    expect(run.state.clock.sources.get('try')).toMatchObject({ maxTs: 9000, watermark: 8999 })
    run.oneByOne({ ts: 500 }, { ts: 100, source: 'try' }, { ts: 700 })
    expect(run.watermark).toBe(699)
  })

  test('is left out of nothing, and does not make the others idle together', () => {
    const run = new Run({ sources, idleTimeout: 10 })
    run.events({ ts: 500, at: 0 }, { ts: 1000, at: 0 })
    run.events({ ts: 90_000, source: 'try', at: 11 })
    expect([run.watermark, run.state.clock.idleSources()]).toEqual([999, ['a']])
    run.tick(30)
    expect([run.watermark, run.row('m', 0)?.leftOut]).toEqual([999, []])
    expect(run.state.clock.sources.get('try')?.idle).toBe(true)
  })

  test('sees no duplicates, neither among its own events nor against another source', () => {
    const run = new Run({ sources })
    run.oneByOne({ ts: 1, id: 'x', source: 'try' }, { ts: 1, id: 'x', source: 'try' }, { ts: 1, id: 'x' })
    expect(counts(run)).toMatchObject({ test: 2, inTime: 1, duplicate: 0, conflict: 0 })
  })

  test('has its rejected events counted like those of any other', () => {
    const run = new Run({ sources })
    run.reject('try')
    expect(counts(run)).toMatchObject({ received: 1, quarantined: 1, test: 0 })
    expect(counts(run, 'try')).toMatchObject({ received: 1, quarantined: 1 })
  })

  test('does not break a silence: windows close by inactivity though it speaks', () => {
    const run = new Run({ sources, closeByInactivity: 100 })
    run.events({ ts: 500, at: 0 })
    run.events({ ts: 500, source: 'try', at: 90 })
    run.tick(101)
    expect(run.revisions).toMatchObject([{ kind: 'inactivity', start: 0 }])
  })

  test('is named too when it sends its history again', () => {
    const run = new Run({ sources })
    run.events(...Array.from({ length: 201 }, (_, i) => ({ ts: i === 0 ? 200_000_000 : 1, source: 'try' })))
    expect(run.notices).toMatchObject([{ kind: 'resends_history', subject: 'try' }])
  })
})

describe('a source that becomes a test source', () => {
  test('leaves the watermark with the next record, and comes back into it when it counts again', () => {
    const run = new Run({ sources: [{ name: 'a' }, { name: 'b' }] })
    run.events({ ts: 5000 }, { ts: 100, source: 'b' })
    run.command({ kind: 'declareSource', source: { name: 'b', test: true } })
    expect(run.watermark).toBe(99)
    run.tick(1)
    expect(run.watermark).toBe(4999)
    run.events({ ts: 4000, source: 'b' })
    expect(counts(run)).toMatchObject({ test: 1, received: 2 })
    run.command({ kind: 'declareSource', source: { name: 'b' } })
    run.oneByOne({ ts: 9000 }, { ts: 7000, source: 'b' })
    expect([run.watermark, counts(run, 'b')?.received]).toEqual([6999, 2])
  })
})

import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../../server/contracts/instant'
import { batchOf, Run, rejectedOf, tumbling } from '../../../support/engine'

const declared = (...names: string[]) => names.map((name) => ({ name }))

describe('a source', () => {
  test('that is declared counts from its declaration and blocks until it speaks or is idle', () => {
    const run = new Run({ idleTimeout: 30, sources: declared('a', 'z') }, 100)
    run.events({ ts: 1000, at: 120 })
    expect(run.watermark).toBe(MIN_INSTANT)
    run.tick(130)
    expect(run.watermark).toBe(MIN_INSTANT)
    run.tick(131)
    expect(run.watermark).toBe(999)
  })

  test('that is not declared counts from its first accepted event, also from a late one', () => {
    const run = new Run({ idleTimeout: 30 })
    run.oneByOne({ ts: 5000 }, { ts: 100, source: 'b' })
    expect(run.state.counts.late).toBe(1)
    run.events({ ts: 9000 })
    expect(run.watermark).toBe(4999)
    run.events({ ts: 7000, source: 'b' })
    expect(run.watermark).toBe(6999)
  })

  test('whose events were only quarantined is not part of the watermark', () => {
    const run = new Run()
    run.reject('b')
    run.events({ ts: 5000 })
    expect([run.watermark, run.state.clock.sources.has('b')]).toEqual([4999, false])
  })

  test('stays awake by duplicates', () => {
    const run = new Run({ idleTimeout: 10, sources: declared('a', 'b') })
    run.events({ ts: 100, id: 'x', at: 0 })
    run.events({ ts: 100, id: 'x', at: 8 }, { ts: 500, source: 'b', at: 8 })
    run.tick(18)
    expect([run.watermark, run.state.clock.idleSources()]).toEqual([99, []])
    run.tick(19)
    expect(run.state.clock.idleSources()).toEqual(['a', 'b'])
  })

  test('does not stay awake by quarantined events', () => {
    const run = new Run({ idleTimeout: 10, sources: declared('a', 'b') })
    run.events({ ts: 100, at: 0 })
    run.reject('a', 8)
    run.events({ ts: 500, source: 'b', at: 11 })
    expect([run.watermark, run.state.clock.idleSources()]).toEqual([499, ['a']])
  })

  test('that was away is idle before its own next event, and W rises first: the event can be late by that', () => {
    const run = new Run({ idleTimeout: 10, sources: declared('a', 'b') })
    run.events({ ts: 100, at: 0 }, { ts: 5000, source: 'b', at: 0 })
    expect(run.watermark).toBe(99)
    run.events({ ts: 200, at: 11 })
    expect([run.watermark, run.state.counts.late]).toEqual([4999, 1])
  })

  test('has its own bound and timeout where the spec gives them; null switches idleness off', () => {
    const b = { name: 'b', strategy: { kind: 'bounded', bound: 70 } as const, idleTimeout: null }
    const run = new Run({ idleTimeout: 10, sources: [{ name: 'a' }, b] })
    run.events({ ts: 100 }, { ts: 500 }, { ts: 500, source: 'b' })
    expect(run.watermark).toBe(429)
    run.tick(1_000_000)
    expect([run.watermark, run.state.clock.idleSources()]).toEqual([429, ['a']])
  })

  test('that comes back with older data holds W where it is until it has caught up', () => {
    const run = new Run({ idleTimeout: 10, sources: declared('a', 'b') })
    run.events({ ts: 100, source: 'b', at: 0 }, { ts: 1000, at: 9 })
    run.tick(11)
    expect(run.watermark).toBe(999)
    run.events({ ts: 200, source: 'b', at: 12 }, { ts: 3000, at: 13 })
    expect(run.watermark).toBe(999)
    run.events({ ts: 2000, source: 'b', at: 14 })
    expect(run.watermark).toBe(1999)
  })
})

describe('journal time', () => {
  test('within a record passes event by event, and at its end to the time of the record', () => {
    const run = new Run({ idleTimeout: 10, sources: declared('a', 'b') })
    run.events({ ts: 100, at: 0 }, { ts: 900, source: 'b', at: 0 })
    run.events({ ts: 950, source: 'b', at: 10 }, { ts: 970, source: 'b', at: 11 })
    expect(run.watermark).toBe(969)
    const late = new Run({ idleTimeout: 10, sources: declared('a', 'b') })
    late.events({ ts: 900, source: 'b', at: 3 })
    late.reject('b', 11)
    expect(late.watermark).toBe(899)
  })

  test("of a rejected event is its record's: put into a later record it changes who was left out, and no value", () => {
    // Found by recut.test.ts, seed 1488834460, path 67.
    const over = { idleTimeout: 20, strategy: { kind: 'bounded', bound: 8 } as const }
    const views = [{ id: 'm', window: tumbling(10, 8) }]
    const [apart, together] = [new Run({ ...over, views }), new Run({ ...over, views })]
    for (const run of [apart, together]) {
      run.events({ ts: 317, at: 317 }, { ts: 328, at: 332, source: 'c' })
      if (run === apart) run.reject('a', 349)
      const batch = batchOf([{ ts: 372, at: 372, source: 'c', id: 'last' }])
      run.record({ kind: 'events', at: 372, batch, rejected: run === together ? [rejectedOf('a')] : [] })
    }
    expect([apart, together].map((run) => run.row('m', 308)?.leftOut)).toEqual([['a'], ['a', 'c']])
    const told = ({ revisions, watermark, state }: Run) => [
      revisions.map((r) => r.after),
      watermark,
      state.counts,
    ]
    expect(told(together)).toEqual(told(apart))
  })

  test('in which the server was away does not make anybody idle', () => {
    const run = new Run({ idleTimeout: 10, sources: declared('a', 'b') })
    run.events({ ts: 100, at: 0 }, { ts: 900, source: 'b', at: 0 })
    run.resumed(5, 1005)
    run.tick(1010)
    expect(run.watermark).toBe(99)
    run.tick(1011)
    expect(run.watermark).toBe(899)
  })

  test('before the server went away counts: who was idle by then is so, and windows fire', () => {
    const run = new Run({ idleTimeout: 10, sources: declared('a', 'z') })
    run.events({ ts: 500, at: 4 }, { ts: 1000, at: 9 })
    run.resumed(15, 2000)
    expect(run.revisions).toMatchObject([{ start: 0, kind: 'on-time', at: 2000 }])
    run.tick(2004)
    expect(run.state.clock.idleSources()).toEqual(['z'])
  })
})

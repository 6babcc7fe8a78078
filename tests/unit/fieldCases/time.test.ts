import { describe, expect, test } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT } from '../../../server/contracts/instant'
import { Run, tumbling } from '../../support/engine'

describe('8. no source yet', () => {
  test('there is no watermark, and no window fires or closes by the mere passing of time', () => {
    const run = new Run({ idleTimeout: 10 })
    for (const at of [1, 1_000, 1_000_000_000]) run.tick(at)
    run.resumed(1_000_000_001, 1_000_000_002)
    run.reject('a', 1_000_000_003)
    expect(run.watermark).toBe(MIN_INSTANT)
    run.events({ ts: 5 })
    expect([run.watermark, run.state.counts.inTime, run.closed]).toEqual([4, 1, []])
    expect(run.watermark).not.toBe(MAX_INSTANT)
  })

  test('sources that are declared and all idle, and never spoke, make none either', () => {
    const run = new Run({ idleTimeout: 10, sources: [{ name: 'a' }, { name: 'b' }] })
    run.tick(1_000)
    expect([run.watermark, run.state.clock.idleSources()]).toEqual([MIN_INSTANT, ['a', 'b']])
  })
})

describe('9. off by one', () => {
  test('a batch whose largest ts is 100 leaves other events with ts 100 in time, even at the end of a window', () => {
    const run = new Run({ views: [{ id: 'm', window: tumbling(101) }] })
    run.oneByOne({ ts: 100, id: 'x' }, { ts: 100, id: 'y' }, { ts: 100, id: 'z', source: 'b' })
    expect(run.state.counts).toMatchObject({ inTime: 3, corrected: 0, late: 0 })
    expect([run.watermark, run.row('m', 0)?.status]).toEqual([99, 'open'])
    run.events({ ts: 101, source: 'b' }, { ts: 101 })
    expect(run.row('m', 0)).toMatchObject({ status: 'closed', events: 3, revision: 1 })
  })
})

describe('10. underflow at the start', () => {
  test('the watermark of nobody, less the largest bound, is still MIN, and the stream lives', () => {
    const bound = Number.MAX_SAFE_INTEGER
    const run = new Run({ sources: [{ name: 'z' }], idleTimeout: 10, strategy: { kind: 'bounded', bound } })
    run.events({ ts: 5, at: 1 })
    expect(run.watermark).toBe(MIN_INSTANT)
    run.tick(11)
    expect(run.watermark).toBeLessThan(-9e15)
    run.events({ ts: 6, at: 11 })
    expect(run.state.counts).toMatchObject({ inTime: 2, late: 0 })
    expect(run.revisions).toEqual([])
  })
})

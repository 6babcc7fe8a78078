import { describe, expect, test } from 'vitest'
import { Pipeline } from './pipelineOf'

describe('idleness', () => {
  test('begins strictly after the timeout', () => {
    const p = new Pipeline()
    p.hear('a', 0, 100)
    p.hear('b', 0, 50)
    expect([p.idleAt(10), p.idleAt(11)]).toEqual([[], ['a', 'b']])
  })

  test('of the source that speaks is set before it speaks: for that moment all are idle and W is the maximum', () => {
    const p = new Pipeline()
    p.add('a')
    p.add('b')
    p.hear('a', 0, 5)
    p.hear('b', 0, 100)
    expect(p.watermark).toBe(4)
    p.hear('a', 11, 6)
    expect([p.watermark, p.clock.idleSources()]).toEqual([99, ['b']])
  })

  test.each([
    ['a', 'b'],
    ['b', 'a'],
  ] as const)('of all sources makes W the maximum, whoever slept first: %s', (first, second) => {
    const p = new Pipeline()
    p.add('a')
    p.add('b')
    const ts = { a: 6, b: 5 }
    p.hear(first, 0, ts[first])
    p.hear(second, 3, ts[second])
    p.idleAt(12)
    expect([p.idleAt(14), p.watermark]).toEqual([['a', 'b'], 5])
  })

  test('of one source leaves W to the others', () => {
    const p = new Pipeline()
    p.add('a')
    p.add('b')
    p.hear('a', 0, 5)
    p.hear('b', 9, 100)
    expect(p.clock.passTime(11)).toBe(true)
    expect([p.watermark, p.clock.idleSources()]).toEqual([99, ['a']])
  })

  test('of a declared source that never spoke is timed from its declaration', () => {
    const p = new Pipeline()
    p.add('z', 5)
    p.hear('a', 14, 100)
    expect([p.clock.passTime(15), p.clock.passTime(16), p.watermark]).toEqual([false, true, 99])
  })

  test('ends when the source speaks, and its timer starts again', () => {
    const p = new Pipeline()
    p.add('a')
    p.hear('a', 11, 5)
    expect([p.idleAt(11), p.idleAt(21), p.idleAt(22)]).toEqual([[], [], ['a']])
  })

  test('ends with a mark, be it of a source that takes none', () => {
    const p = new Pipeline()
    p.add('a')
    p.mark('a', 11, 5)
    expect([p.idleAt(21), p.idleAt(22), p.source('a').lastRecordAt]).toEqual([[], ['a'], 11])
  })

  test('of a source that returns with older data holds W where it is, until it has caught up', () => {
    const p = new Pipeline()
    p.hear('a', 0, 10)
    p.hear('b', 11, 100)
    expect(p.watermark).toBe(99)
    p.hear('a', 12, 20)
    p.hear('b', 12, 200)
    expect(p.watermark).toBe(99)
    p.hear('a', 13, 150)
    expect(p.watermark).toBe(149)
  })

  test('never comes where it is off, also beside sources that sleep', () => {
    const p = new Pipeline()
    p.add('a', 0, { idleTimeout: null })
    p.hear('b', 0, 5)
    expect(p.idleAt(Number.MAX_SAFE_INTEGER)).toEqual(['b'])
  })

  test('comes by each source its own timeout, also one that was made shorter', () => {
    const p = new Pipeline()
    p.add('quick', 0, { idleTimeout: 3 })
    const slow = p.add('slow', 0, { idleTimeout: 30 })
    expect([p.idleAt(3), p.idleAt(4), p.idleAt(30)]).toEqual([[], ['quick'], ['quick']])
    slow.configure({ ...slow.settings, idleTimeout: 20 }, 30)
    p.clock.reconsider()
    expect(p.idleAt(30)).toEqual(['quick', 'slow'])
  })
})

describe('an operator', () => {
  test('who marks a source idle lets W go on without it once it is published', () => {
    const p = new Pipeline()
    const a = p.add('a')
    p.hear('b', 0, 100)
    p.clock.setIdle(a, true, 5)
    expect([p.clock.publish(), p.watermark, p.clock.idleSources()]).toEqual([true, 99, ['a']])
    p.hear('a', 6, 50)
    expect(p.clock.idleSources()).toEqual([])
  })

  test('who marks a source idle does not start its timer', () => {
    const p = new Pipeline()
    const a = p.add('a')
    const started = a.timerStart
    p.clock.setIdle(a, true, 5)
    expect(a.timerStart).toBe(started)
    p.clock.setIdle(a, false, 7)
    expect(a.timerStart).toBe(7)
  })

  test('who marks a source active starts its timer then, and W does not go back', () => {
    const p = new Pipeline()
    const a = p.add('a')
    p.hear('b', 11, 100)
    expect([p.idleAt(12), p.watermark]).toEqual([['a'], 99])
    p.clock.setIdle(a, false, 15)
    expect([p.clock.publish(), p.watermark]).toEqual([false, 99])
    p.hear('b', 16, 200)
    expect([p.watermark, p.idleAt(25), p.idleAt(26)]).toEqual([99, [], ['a']])
    expect(p.watermark).toBe(199)
  })
})

import { describe, expect, test } from 'vitest'
import { Pipeline } from './pipelineOf'

describe('time in which the server was away', () => {
  test('does not run on the timers of active sources', () => {
    const p = new Pipeline()
    p.hear('a', 0, 5)
    p.clock.resume(4, 104)
    expect([p.idleAt(110), p.idleAt(111)]).toEqual([[], ['a']])
  })

  test('leaves idle sources idle, those too that had become so when it began', () => {
    const p = new Pipeline()
    p.add('a')
    p.hear('b', 5, 100)
    expect(p.clock.resume(11, 500)).toBe(true)
    expect([p.clock.idleSources(), p.watermark]).toEqual([['a'], 99])
    expect([p.idleAt(504), p.idleAt(505)]).toEqual([['a'], ['a', 'b']])
  })

  test('counts for a source that joined within it from its joining on', () => {
    const p = new Pipeline()
    p.hear('a', 50, 5)
    p.clock.resume(4, 104)
    expect([p.idleAt(114), p.idleAt(115)]).toEqual([[], ['a']])
  })

  test('that was over before a source spoke counts for nothing', () => {
    const p = new Pipeline()
    p.hear('a', 50, 5)
    p.clock.resume(4, 40)
    expect([p.idleAt(60), p.idleAt(61)]).toEqual([[], ['a']])
  })

  test('does not count as silence', () => {
    const p = new Pipeline()
    p.hear('a', 10, 5)
    p.clock.resume(15, 115)
    expect(p.clock.lastSpokeAt).toBe(110)
  })
})

describe('a pause that was recorded', () => {
  test('stops the timers at once, and they go on where they stood', () => {
    const p = new Pipeline()
    p.hear('a', 0, 5)
    p.clock.passTime(4)
    p.clock.pause(4)
    expect([p.clock.timerTime(50), p.idleAt(50)]).toEqual([4, []])
    p.clock.resume(30, 104)
    expect([p.clock.timerTime(105), p.idleAt(110), p.idleAt(111)]).toEqual([105, [], ['a']])
  })

  test('goes by its own time, not by a later one that the resumption tells', () => {
    const p = new Pipeline()
    p.add('a')
    p.clock.pause(8)
    p.clock.resume(90, 100)
    expect([p.idleAt(102), p.idleAt(103)]).toEqual([[], ['a']])
  })

  test('does not begin anew when it is recorded again', () => {
    const p = new Pipeline()
    p.add('a')
    p.clock.pause(8)
    p.clock.pause(60)
    expect(p.idleAt(60)).toEqual([])
    p.clock.resume(60, 100)
    expect([p.idleAt(102), p.idleAt(103)]).toEqual([[], ['a']])
  })

  test('leaves a source idle that was so when it began', () => {
    const p = new Pipeline()
    p.add('a')
    p.clock.passTime(11)
    p.clock.pause(11)
    p.clock.resume(11, 100)
    expect(p.clock.idleSources()).toEqual(['a'])
  })

  test('does not keep a retired source in the watermark', () => {
    const p = new Pipeline()
    p.add('slow')
    p.hear('a', 0, 100)
    p.clock.pause(1)
    p.clock.retire('slow')
    expect([p.clock.passTime(2), p.watermark]).toEqual([true, 99])
  })
})

import { describe, expect, test } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT } from '../../../../server/contracts/instant'
import { PipelineClock } from '../../../../server/engine/clock/pipelineClock'

/** A clock with bound 0 and a timeout of 10; `hear` is one accepted event, in the order that the rules give. */
function clockOf(idleTimeout: number | null = 10) {
  const clock = new PipelineClock()
  const settings = { strategy: { kind: 'bounded', bound: 0 }, idleTimeout } as const
  const add = (name: string, at = 0) => clock.add(name, true, settings, at)
  function hear(name: string, at: number, ts: number): void {
    clock.passTime(at)
    const source = clock.sources.get(name) ?? add(name, at)
    clock.speak(source, at)
    clock.observe(source, ts)
  }
  return { clock, add, hear }
}

describe('the watermark of the pipeline', () => {
  test('is MIN without sources, also after time has passed', () => {
    const { clock } = clockOf()
    expect(clock.passTime(1_000_000)).toBe(false)
    expect(clock.watermark).toBe(MIN_INSTANT)
  })

  test('is the minimum over active sources', () => {
    const { clock, hear } = clockOf()
    hear('a', 0, 100)
    hear('b', 0, 50)
    hear('b', 0, 60)
    expect(clock.watermark).toBe(99)
    const both = clockOf()
    both.add('a')
    both.add('b')
    both.hear('a', 0, 100)
    both.hear('b', 0, 60)
    expect(both.clock.watermark).toBe(59)
  })

  test('is held at MIN by a declared source that has not spoken', () => {
    const { clock, add, hear } = clockOf()
    add('b')
    hear('a', 0, 100)
    expect(clock.watermark).toBe(MIN_INSTANT)
  })

  test('does not go back when a slow source joins or returns, and waits until it has caught up', () => {
    const { clock, hear } = clockOf()
    hear('a', 0, 100)
    hear('b', 1, 20)
    expect(clock.watermark).toBe(99)
    hear('a', 2, 200)
    expect(clock.watermark).toBe(99)
    hear('b', 3, 150)
    expect(clock.watermark).toBe(149)
  })

  test('rises only where it tells so', () => {
    const { clock, add } = clockOf()
    const a = add('a')
    expect(clock.observe(a, 5)).toBe(true)
    expect(clock.observe(a, 5)).toBe(false)
    expect(clock.observe(a, 4)).toBe(false)
    // Idle now, but at the watermark that stands already.
    expect(clock.passTime(11)).toBe(false)
    expect(clock.idleSources()).toEqual(['a'])
  })

  test('is the end of time once nothing more will come, and stays there', () => {
    const { clock, hear } = clockOf()
    hear('a', 0, 5)
    expect(clock.end()).toBe(true)
    expect(clock.watermark).toBe(MAX_INSTANT)
    hear('a', 1, 6)
    expect(clock.watermark).toBe(MAX_INSTANT)
  })
})

describe('idleness', () => {
  test('begins strictly after the timeout', () => {
    const { clock, hear } = clockOf()
    hear('a', 0, 100)
    hear('b', 0, 50)
    clock.passTime(10)
    expect(clock.idleSources()).toEqual([])
    clock.passTime(11)
    expect(clock.idleSources()).toEqual(['a', 'b'])
  })

  test('of the source that speaks is set before it speaks: for that moment all are idle and W is the maximum', () => {
    const { clock, add, hear } = clockOf()
    add('a')
    add('b')
    hear('a', 0, 5)
    hear('b', 0, 100)
    expect(clock.watermark).toBe(4)
    hear('a', 11, 6)
    expect(clock.watermark).toBe(99)
  })

  test('of all sources makes W the maximum, whoever slept first', () => {
    for (const [first, second] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const { clock, add, hear } = clockOf()
      add('a')
      add('b')
      const ts = { a: 6, b: 5 }
      hear(first, 0, ts[first])
      hear(second, 3, ts[second])
      clock.passTime(12)
      clock.passTime(14)
      expect(clock.watermark).toBe(5)
    }
  })

  test('of one source leaves W to the others', () => {
    const { clock, add, hear } = clockOf()
    add('a')
    add('b')
    hear('a', 0, 5)
    hear('b', 9, 100)
    expect(clock.passTime(11)).toBe(true)
    expect([clock.watermark, clock.idleSources()]).toEqual([99, ['a']])
  })

  test('of a declared source that never spoke is timed from its declaration', () => {
    const { clock, add, hear } = clockOf()
    add('z', 5)
    hear('a', 14, 100)
    expect(clock.passTime(15)).toBe(false)
    expect(clock.passTime(16)).toBe(true)
    expect(clock.watermark).toBe(99)
  })

  test('ends when the source speaks, and its timer starts again', () => {
    const { clock, add, hear } = clockOf()
    add('a')
    hear('a', 11, 5)
    expect(clock.idleSources()).toEqual([])
    clock.passTime(21)
    expect(clock.idleSources()).toEqual([])
    clock.passTime(22)
    expect(clock.idleSources()).toEqual(['a'])
  })

  test('never comes where it is off', () => {
    const { clock, hear } = clockOf(null)
    hear('a', 0, 5)
    clock.passTime(Number.MAX_SAFE_INTEGER)
    expect(clock.idleSources()).toEqual([])
  })
})

describe('time in which the server was away', () => {
  test('does not run on the timers of active sources', () => {
    const { clock, hear } = clockOf()
    hear('a', 0, 5)
    clock.resume(4, 104)
    clock.passTime(110)
    expect(clock.idleSources()).toEqual([])
    clock.passTime(111)
    expect(clock.idleSources()).toEqual(['a'])
  })

  test('leaves idle sources idle, those too that had become so when it began', () => {
    const { clock, add, hear } = clockOf()
    add('a')
    hear('b', 5, 100)
    expect(clock.resume(11, 500)).toBe(true)
    expect([clock.idleSources(), clock.watermark]).toEqual([['a'], 99])
  })

  test('counts for a source that joined within it from its joining on', () => {
    const { clock, hear } = clockOf()
    hear('a', 50, 5)
    clock.resume(4, 104)
    clock.passTime(114)
    expect(clock.idleSources()).toEqual([])
    clock.passTime(115)
    expect(clock.idleSources()).toEqual(['a'])
  })
})

import { describe, expect, test } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT } from '../../../../server/contracts/instant'
import { combine } from '../../../../server/engine/clock/pipelineClock'
import { Pipeline } from './pipelineOf'

const PUNCTUATED = { strategy: { kind: 'punctuated' } } as const

describe('the watermark of the pipeline', () => {
  test('is MIN without sources, also after time has passed', () => {
    const { clock } = new Pipeline()
    expect(clock.passTime(1_000_000)).toBe(false)
    expect([clock.watermark, combine([])]).toEqual([MIN_INSTANT, MIN_INSTANT])
  })

  test('is the minimum over active sources', () => {
    const p = new Pipeline()
    p.add('a')
    p.add('b')
    p.hear('a', 0, 100)
    p.hear('b', 0, 60)
    expect(p.watermark).toBe(59)
  })

  test('is that of the one source there is, until another joins', () => {
    const p = new Pipeline()
    p.hear('a', 0, 100)
    p.hear('b', 0, 50)
    p.hear('b', 0, 60)
    expect(p.watermark).toBe(99)
  })

  test('is held at MIN by a declared source that has not spoken', () => {
    const p = new Pipeline()
    p.add('b')
    p.hear('a', 0, 100)
    expect(p.watermark).toBe(MIN_INSTANT)
  })

  test('does not go back when a slow source joins or returns, and waits until it has caught up', () => {
    const p = new Pipeline()
    p.hear('a', 0, 100)
    p.hear('b', 1, 20)
    expect(p.watermark).toBe(99)
    p.hear('a', 2, 200)
    expect(p.watermark).toBe(99)
    p.hear('b', 3, 150)
    expect(p.watermark).toBe(149)
  })

  test('rises only where it tells so', () => {
    const p = new Pipeline()
    const a = p.add('a')
    expect([5, 5, 4, 6].map((ts) => p.clock.observe(a, ts))).toEqual([true, false, false, true])
    // Idle now, but at the watermark that stands already.
    expect([p.clock.passTime(11), p.clock.idleSources()]).toEqual([false, ['a']])
  })

  test('follows marks of punctuated sources among others', () => {
    const p = new Pipeline()
    p.add('a')
    p.add('b', 0, PUNCTUATED)
    p.hear('a', 0, 100)
    p.hear('b', 0, 500)
    expect(p.watermark).toBe(MIN_INSTANT)
    p.mark('b', 0, 50)
    expect(p.watermark).toBe(49)
    p.mark('b', 0, 500)
    expect(p.watermark).toBe(99)
  })

  test('that was forced ahead stands until the sources have caught up with it', () => {
    const p = new Pipeline()
    p.hear('a', 0, 100)
    p.clock.watermark = 500
    p.hear('a', 0, 200)
    expect([p.watermark, p.source('a').watermark]).toEqual([500, 199])
    p.hear('a', 0, 502)
    expect(p.watermark).toBe(501)
  })

  test('is the end of time once nothing more will come, and stays there', () => {
    const p = new Pipeline()
    p.hear('a', 0, 5)
    expect([p.clock.end(), p.clock.end()]).toEqual([true, false])
    p.hear('a', 1, 6)
    p.add('b', 2)
    expect([p.clock.passTime(100), p.watermark]).toEqual([false, MAX_INSTANT])
  })
})

describe('a test source', () => {
  test('has no part in the watermark, neither where it is slow nor where it is fast', () => {
    const p = new Pipeline()
    p.add('t', 0, { test: true })
    p.hear('a', 0, 100)
    expect(p.watermark).toBe(99)
    p.hear('t', 0, 900)
    expect([p.watermark, p.source('t').watermark]).toEqual([99, 899])
    p.idleAt(20)
    expect(p.watermark).toBe(99)
  })

  test('is not among the idle, and is no source without which all others would be', () => {
    const p = new Pipeline()
    p.add('t', 0, { test: true })
    p.hear('a', 0, 100)
    p.hear('b', 0, 200)
    p.hear('t', 11, 1)
    expect([p.idleAt(11), p.source('t').idle, p.watermark]).toEqual([['a', 'b'], false, 199])
    p.idleAt(50)
    expect([p.idleAt(50), p.source('t').idle]).toEqual([['a', 'b'], true])
  })

  test('does not break the silence', () => {
    const p = new Pipeline()
    p.add('t', 0, { test: true })
    p.hear('a', 3, 100)
    p.hear('t', 7, 100)
    expect(p.clock.lastSpokeAt).toBe(3)
  })
})

describe('a source that is retired', () => {
  test('holds the watermark until time passes, be it to the same instant', () => {
    const p = new Pipeline()
    p.add('slow')
    p.hear('a', 5, 100)
    p.clock.retire('slow')
    expect(p.watermark).toBe(MIN_INSTANT)
    expect([p.clock.passTime(5), p.watermark]).toEqual([true, 99])
    expect(p.clock.passTime(5)).toBe(false)
  })

  test('leaves the watermark where it is when it was the only one', () => {
    const p = new Pipeline()
    p.hear('a', 0, 100)
    p.clock.retire('a')
    expect([p.clock.passTime(1), p.watermark, p.clock.sources.size]).toEqual([false, 99, 0])
    p.hear('a', 2, 50)
    expect(p.watermark).toBe(99)
  })

  test('may leave only idle ones behind: the watermark is their maximum', () => {
    const p = new Pipeline()
    p.hear('a', 0, 100)
    p.hear('b', 0, 200)
    p.add('slow', 11)
    expect([p.idleAt(11), p.watermark]).toEqual([['a', 'b'], 99])
    p.clock.retire('slow')
    expect([p.clock.passTime(11), p.watermark]).toEqual([true, 199])
  })
})

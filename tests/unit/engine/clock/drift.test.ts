import { describe, expect, test } from 'vitest'
import { MAX_INSTANT } from '../../../../server/contracts/instant'
import { align, slowestActive } from '../../../../server/engine/clock/drift'
import { SourceClock } from '../../../../server/engine/clock/sourceClock'

interface Has {
  watermark?: number
  idle?: boolean
  test?: boolean
  pulled?: boolean
}

function sourceOf(name: string, { watermark, idle = false, test = false, pulled = true }: Has): SourceClock {
  const settings = { strategy: { kind: 'ascending' }, idleTimeout: null, test, pulled } as const
  const source = new SourceClock(name, true, settings, 0)
  if (watermark !== undefined) source.watermark = watermark
  source.idle = idle
  return source
}

/** Names of the sources that would wait. */
function waiting(maxDrift: number | null, ...all: Has[]): string[] {
  const sources = all.map((has, i) => sourceOf(`s${i}`, has))
  const changed = align(sources, maxDrift).map(({ name }) => name)
  expect(changed).toEqual(sources.filter((s) => s.wouldPause).map(({ name }) => name))
  expect(align(sources, maxDrift)).toEqual([])
  return changed
}

describe('alignment', () => {
  test('has a source wait that is strictly more than the drift ahead of the slowest', () => {
    expect(waiting(10, { watermark: 100 }, { watermark: 110 }, { watermark: 111 })).toEqual(['s2'])
  })

  test('has no source wait that pushes, however far ahead it is; it may be the slowest', () => {
    expect(waiting(10, { watermark: 0, pulled: false }, { watermark: 11 })).toEqual(['s1'])
    expect(waiting(10, { watermark: 0 }, { watermark: 999, pulled: false })).toEqual([])
  })

  test('leaves idle and test sources out of who is slowest', () => {
    const slow = { watermark: 0 }
    expect(waiting(10, { ...slow, idle: true }, { watermark: 100 }, { watermark: 111 })).toEqual(['s2'])
    expect(waiting(10, { ...slow, test: true }, { watermark: 100 }, { watermark: 105 })).toEqual([])
    expect(waiting(10, slow, { watermark: 100, test: true })).toEqual([])
  })

  test('has everybody who has begun wait for an active one that has not', () => {
    expect(waiting(10, {}, { watermark: 5 })).toEqual(['s1'])
  })

  test('has nobody wait without a limit, or without an active source', () => {
    expect(waiting(null, { watermark: 0 }, { watermark: 1e15 })).toEqual([])
    expect(waiting(10, { watermark: 0, idle: true }, { watermark: 1e15, idle: true })).toEqual([])
    expect([slowestActive([]), align([], 10)]).toEqual([MAX_INSTANT, []])
  })

  test('tells who need not wait any more, and who need not since there is no limit', () => {
    const [slow, fast] = [sourceOf('slow', { watermark: 0 }), sourceOf('fast', { watermark: 100 })]
    expect(align([slow, fast], 10)).toEqual([fast])
    slow.watermark = 95
    expect([align([slow, fast], 10), fast.wouldPause]).toEqual([[fast], false])
    slow.watermark = 0
    align([slow, fast], 10)
    expect([align([slow, fast], null), fast.wouldPause]).toEqual([[fast], false])
  })
})

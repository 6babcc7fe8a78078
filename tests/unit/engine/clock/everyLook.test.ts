import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT } from '../../../../server/contracts/instant'
import { Pipeline } from './pipelineOf'

const NAMES = ['a', 'b', 'c', 'd']
const TIMEOUTS = [3, 10, 25, null]
const name = fc.nat(3)
const wait = fc.oneof(fc.nat(4), fc.constantFrom(10, 11, 25, 26))
const move = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('event'), name, wait, ts: fc.nat(500) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('tick'), name, wait }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('pause', 'resume', 'retire', 'wake'), name, wait }),
  },
)

interface Source {
  watermark: number
  timer: number
  idle: boolean
  readonly timeout: number
}

/** The rules without any memory of when it is worth looking: each source is looked at each time. */
class Naive {
  readonly sources = new Map<string, Source>()
  watermark = MIN_INSTANT
  #pausedAt: number | null = null

  passTime(at: number): void {
    const until = Math.min(at, this.#pausedAt ?? at)
    for (const s of this.sources.values()) if (until - s.timer > s.timeout) s.idle = true
    this.publish()
  }

  publish(): void {
    const all = [...this.sources.values()]
    const active = all.filter((s) => !s.idle)
    const least = Math.min(...active.map((s) => s.watermark))
    const combined = active.length > 0 ? least : Math.max(...all.map((s) => s.watermark))
    this.watermark = Math.max(this.watermark, combined)
  }

  hear(name: string, timeout: number | null, at: number, ts: number): void {
    const joins = { watermark: MIN_INSTANT, timer: at, idle: false, timeout: timeout ?? MAX_INSTANT }
    const source = this.sources.get(name) ?? joins
    this.sources.set(name, source)
    Object.assign(source, { timer: at, idle: false, watermark: Math.max(source.watermark, ts - 1) })
    this.publish()
  }

  pause(at: number): void {
    this.#pausedAt ??= at
  }

  resume(pausedAt: number, at: number): void {
    const since = this.#pausedAt ?? pausedAt
    this.passTime(since)
    for (const s of this.sources.values()) if (!s.idle) s.timer += Math.max(0, at - Math.max(since, s.timer))
    this.#pausedAt = null
  }
}

/** Does the same to both at journal time `at`. */
function play(
  p: Pipeline,
  naive: Naive,
  at: number,
  move: { kind: string; name: number; ts?: number },
): void {
  const name = NAMES[move.name] ?? ''
  const timeout = TIMEOUTS[move.name] ?? null
  p.clock.passTime(at)
  naive.passTime(at)
  const source = p.clock.sources.get(name)
  if (move.kind === 'event') {
    if (!source) p.add(name, at, { idleTimeout: timeout })
    p.hear(name, at, move.ts ?? 0)
    naive.hear(name, timeout, at, move.ts ?? 0)
  } else if (move.kind === 'pause') {
    p.clock.pause(at)
    naive.pause(at)
  } else if (move.kind === 'resume') {
    p.clock.resume(at, at + 20)
    naive.resume(at, at + 20)
  } else if (move.kind === 'retire' && source) {
    p.clock.retire(name)
    naive.sources.delete(name)
  } else if (move.kind === 'wake' && source) {
    p.clock.setIdle(source, false, at)
    Object.assign(naive.sources.get(name) ?? {}, { idle: false, timer: at })
  }
}

describe('the clock of the pipeline', () => {
  test('is that of one which looks at every source at every moment', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 150, size: 'max' }), (moves) => {
        const p = new Pipeline()
        const naive = new Naive()
        let at = 0
        for (const m of moves) {
          at += m.wait
          play(p, naive, at, m)
          if (m.kind === 'resume') at += 20
          p.clock.passTime(at)
          naive.passTime(at)
          expect(p.watermark).toBe(naive.watermark)
          expect([...p.clock.sources].map(([name, s]) => [name, s.idle, s.watermark])).toEqual(
            [...naive.sources].map(([name, s]) => [name, s.idle, s.watermark]),
          )
        }
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdaptiveStrategy } from '../../../../server/contracts/strategy'
import { AdaptiveBound } from '../../../../server/engine/clock/adaptiveBound'
import { adaptive } from './learning'

const setting = fc
  .record({
    initial: fc.nat(200),
    every: fc.integer({ min: 1, max: 50 }),
    sample: fc.integer({ min: 3, max: 20 }),
    atLeast: fc.integer({ min: 1, max: 3 }),
    percentile: fc.constantFrom(50, 90, 95, 100),
    factor: fc.constantFrom(1, 1.5, 0.25),
    least: fc.nat(20),
    most: fc.integer({ min: 20, max: 400 }),
    fall: fc.integer({ min: 1, max: 100 }),
  })
  .map(adaptive)
const event = fc.record({ wait: fc.nat(60), delay: fc.integer({ min: -50, max: 300 }) })

/** All delays ever seen, and the rule written out. */
class Naive {
  bound: number
  readonly #s: AdaptiveStrategy
  readonly #delays: number[] = []
  #lastStep: number

  constructor(strategy: AdaptiveStrategy, at: number) {
    this.#s = strategy
    this.bound = strategy.initial
    this.#lastStep = Math.floor(at / strategy.every)
  }

  event(at: number, delay: number): void {
    const step = Math.floor(at / this.#s.every)
    if (step > this.#lastStep) this.#take()
    this.#lastStep = step
    this.#delays.push(Math.max(delay, 0))
  }

  #take(): void {
    const { sample, atLeast, percentile, factor, least, most, fall } = this.#s
    const last = this.#delays.slice(-sample).sort((a, b) => a - b)
    if (last.length < atLeast) return
    // Nearest rank: the smallest delay that at least so many percent of all do not exceed.
    const at = last.find((_, i) => (i + 1) * 100 >= percentile * last.length) ?? 0
    const target = Math.min(Math.max(Math.ceil(at * factor), least), most)
    this.bound = target > this.bound ? target : Math.max(target, Math.ceil((this.bound * (100 - fall)) / 100))
  }
}

describe('a learnt bound', () => {
  test('is that of the rule written out, also through restarts', () => {
    fc.assert(
      fc.property(
        setting,
        fc.nat(1_000),
        fc.array(event, { maxLength: 120, size: 'max' }),
        (strategy, from, events) => {
          let bound = new AdaptiveBound(strategy, from)
          const naive = new Naive(strategy, from)
          let at = from
          events.forEach(({ wait, delay }, i) => {
            at += wait
            bound.passTime(at)
            bound.sample(delay)
            naive.event(at, delay)
            expect(bound.bound).toBe(naive.bound)
            if (i % 7 !== 0) return
            const saved = structuredClone(bound.save())
            bound = new AdaptiveBound(strategy, 0)
            bound.restore(saved)
          })
        },
      ),
    )
  })
})

import type { AdaptiveStrategy } from '../../contracts/strategy'

/**
 * Learns a source's out-of-orderness bound from its own delays (semantics.md §2, adaptive). A step is due at each
 * multiple of `every` ms of journal time and taken before the first event at or past it; steps that nobody came for
 * are skipped. Only accepted events that are no duplicates step and are sampled: a producer that sends everything
 * twice gets the bound of one that does not.
 */
export class AdaptiveBound {
  readonly strategy: AdaptiveStrategy
  /** The bound in force, ms. */
  bound: number
  /** Ring of the last delays, ms; `#next` is where the next one goes. */
  #delays: Float64Array
  #known = 0
  #next = 0
  #step: number

  /** `at`: journal time at which the source began to be adaptive, ms. */
  constructor(strategy: AdaptiveStrategy, at: number) {
    this.strategy = strategy
    this.bound = strategy.initial
    this.#delays = new Float64Array(strategy.sample)
    this.#step = Math.floor(at / strategy.every)
  }

  /** Before the event is folded: takes the step that is due at journal time `at`, if any. Moves the bound only. */
  passTime(at: number): void {
    const step = Math.floor(at / this.strategy.every)
    if (step <= this.#step) return
    this.#step = step
    if (this.#known < this.strategy.atLeast) return
    const target = this.#target()
    // A burst must be caught at once; calm is believed slowly.
    const least = this.bound - Math.floor((this.bound * this.strategy.fall) / 100)
    this.bound = target > this.bound ? target : Math.max(target, least)
  }

  /** Takes in the delay (journal time − event time) of a folded event; one from the future has none. */
  sample(delay: number): void {
    this.#delays[this.#next] = Math.max(0, delay)
    this.#next = (this.#next + 1) % this.strategy.sample
    if (this.#known < this.strategy.sample) this.#known++
  }

  #target(): number {
    const { percentile, factor, least, most } = this.strategy
    const sorted = this.#delays.slice(0, this.#known).sort()
    // Less a hair: 29 % of 100 delays is the 29th, though the product of doubles says a little more.
    const rank = Math.ceil((percentile * this.#known) / 100 - 1e-9)
    const target = Math.ceil((sorted[Math.max(0, rank - 1)] ?? 0) * factor)
    return Math.min(most, Math.max(least, target))
  }

  /** Numbers that a snapshot keeps beside the strategy. */
  save(): { bound: number; known: number; next: number; step: number; delays: Float64Array } {
    return { bound: this.bound, known: this.#known, next: this.#next, step: this.#step, delays: this.#delays }
  }

  restore(saved: ReturnType<AdaptiveBound['save']>): void {
    this.bound = saved.bound
    this.#known = saved.known
    this.#next = saved.next
    this.#step = saved.step
    this.#delays = saved.delays
  }
}

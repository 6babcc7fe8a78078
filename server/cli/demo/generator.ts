import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiTarget, sendEvents } from '../api'
import { HABITS, Lane } from './lane'
import { OrderBook } from './orders'
import { type Chance, chance } from './random'
import { hourAt, ordersPerSecond } from './rhythm'
import { DEMO_SOURCES, type DemoSource } from './spec'
import { broken, delayed, SHARES, tooLate } from './troubles'

/** Asia/Shanghai has no summer time. */
const OFFSET_HOURS = 8
const STEP = 250
const MINUTE = 60_000
/** What a screen is to show within its first minute happens at least this often, ms. */
const BROKEN_EVERY = 9_000
const DELAYED_EVERY = 7_000
const LATE_EVERY = 16_000
const MOST_IN_REQUEST = 2_000

/** Sends a sale day's orders through the real API until it is told to stop. */
export class DemoTraffic {
  readonly #target: ApiTarget
  readonly #chance: Chance
  readonly #book: OrderBook
  #stopped = false

  constructor(target: ApiTarget, seed: number) {
    this.#target = target
    this.#chance = chance(seed)
    this.#book = new OrderBook(this.#chance, seed.toString(36))
  }

  stop(): void {
    this.#stopped = true
  }

  /**
   * Sends the orders of `[from, to)` minute by minute and source by source, each minute's in order of their time: they
   * are in time, because the watermark waits for the slowest source.
   */
  async catchUp(from: number, to: number, onProgress: (done: number, total: number) => void): Promise<void> {
    for (let minute = from; minute < to && !this.#stopped; minute += MINUTE) {
      const until = Math.min(minute + MINUTE, to)
      await Promise.all(
        DEMO_SOURCES.map((source) => this.#send(source, this.#ordersBetween(source, minute, until))),
      )
      onProgress(until - from, to - from)
    }
  }

  /** Sends what happens now, with each source's delays, until `stop`. */
  async live(): Promise<void> {
    const started = Date.now()
    const lanes = DEMO_SOURCES.map((source) => new Lane(source, HABITS[source], this.#chance, started))
    const order = () => this.#book.next('app', Date.now())
    const troubles = [
      { every: BROKEN_EVERY, make: () => broken(order(), this.#chance) },
      { every: DELAYED_EVERY, make: () => delayed(order(), this.#chance) },
      { every: LATE_EVERY, make: () => tooLate(order(), this.#chance) },
    ].map((trouble) => ({ ...trouble, next: started + 3_000 }))
    let last = started
    while (!this.#stopped) {
      await sleep(STEP)
      const now = Date.now()
      for (const lane of lanes) this.#happen(lane, last, now)
      for (const trouble of troubles) {
        if (now < trouble.next) continue
        trouble.next = now + trouble.every
        lanes[this.#chance.whole(lanes.length)]?.add(trouble.make(), now)
      }
      last = now
      await Promise.all(lanes.map((lane) => this.#send(lane.source, lane.due(now))))
    }
  }

  #happen(lane: Lane, from: number, to: number): void {
    for (const order of this.#ordersBetween(lane.source, from, to)) {
      const event = this.#chance.happens(SHARES.tooLate)
        ? tooLate(order, this.#chance)
        : this.#chance.happens(SHARES.delayed)
          ? delayed(order, this.#chance)
          : order
      lane.add(event, order.eventTime)
      if (this.#chance.happens(SHARES.duplicate)) lane.add(event, to)
    }
  }

  #ordersBetween(source: DemoSource, from: number, to: number) {
    const rate = ordersPerSecond(hourAt(from, OFFSET_HOURS)) * HABITS[source].share
    const expected = (rate * (to - from)) / 1000
    const count = Math.floor(expected) + (this.#chance.happens(expected % 1) ? 1 : 0)
    const times = Array.from({ length: count }, () => Math.floor(from + this.#chance.unit() * (to - from)))
    return times.sort((a, b) => a - b).map((time) => this.#book.next(source, time))
  }

  async #send(source: DemoSource, events: unknown[]): Promise<void> {
    for (let at = 0; at < events.length && !this.#stopped; at += MOST_IN_REQUEST) {
      await sendEvents(this.#target, source, events.slice(at, at + MOST_IN_REQUEST))
    }
  }
}

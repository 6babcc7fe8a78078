import type { Chance } from './random'
import type { DemoSource } from './spec'

/** An order as a producer of the demo shop sends it. */
export interface DemoEvent {
  eventId: string
  orderId: string
  type: 'order' | 'refund'
  amount: string
  currency: string
  eventTime: number
  userId?: string
  dimensions: Record<string, string>
}

const REGIONS = ['east', 'east', 'east', 'south', 'south', 'north', 'west'] as const
const CHANNEL: Record<DemoSource, string> = {
  web: 'web',
  app: 'app',
  'pos-1': 'store',
  'pos-3': 'store',
  partner: 'marketplace',
}
const USERS = 20_000
const RECENT = 500
const REFUND_SHARE = 0.02

/** Writes orders and, now and then, a refund of an earlier one. Ids say which run they are from, so runs never meet. */
export class OrderBook {
  readonly #chance: Chance
  readonly #run: string
  #count = 0
  #recent: DemoEvent[] = []

  constructor(chance: Chance, run: string) {
    this.#chance = chance
    this.#run = run
  }

  next(source: DemoSource, eventTime: number): DemoEvent {
    const refunded = this.#chance.happens(REFUND_SHARE) ? this.#takeRecent(eventTime) : undefined
    const id = `${this.#run}-${++this.#count}`
    if (refunded) return { ...refunded, eventId: `r-${id}`, type: 'refund', eventTime }
    const order = this.#order(source, id, eventTime)
    this.#recent.push(order)
    if (this.#recent.length > RECENT) this.#recent.shift()
    return order
  }

  #order(source: DemoSource, id: string, eventTime: number): DemoEvent {
    const chance = this.#chance
    // Most buyers are few: a square of chance prefers low numbers.
    const user = Math.floor(chance.unit() ** 2 * USERS)
    return {
      eventId: `o-${id}`,
      orderId: `${id}`,
      type: 'order',
      amount: priceOf(chance),
      currency: 'CNY',
      eventTime,
      // Shops at the corner do not know who buys.
      ...(CHANNEL[source] === 'store' && chance.happens(0.4) ? {} : { userId: `u${user}` }),
      dimensions: { region: chance.pick(REGIONS), channel: CHANNEL[source] },
    }
  }

  #takeRecent(before: number): DemoEvent | undefined {
    const at = this.#chance.whole(Math.max(this.#recent.length, 1))
    const order = this.#recent[at]
    if (!order || order.eventTime >= before) return undefined
    this.#recent.splice(at, 1)
    return order
  }
}

/** Lognormal around ¥ 120, in whole fen. */
function priceOf(chance: Chance): string {
  const fen = Math.max(100, Math.round(12_000 * Math.exp(0.8 * chance.normal())))
  return `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`
}

import { type EventBatch, EventBatchBuilder, ORDER, REFUND } from '../../server/contracts/eventBatch'

/** Event time of the first order, ms: 10:50 in Shanghai, so that an hour ends during a run and a day does not. */
export const BEGIN = 1_793_501_400_000
const RATE = 1_000
export const SOURCES = Array.from({ length: 8 }, (_, i) => `pos-${i + 1}`)
/** Cash registers tell the time in steps: times are often equal, and a watermark meets a window's end exactly. */
const TICK = 50
/** Cut off for three minutes: windows fire without the idle source, and what it kept comes after them. */
const CUT_OFF = { source: 7, from: 300_000, to: 480_000 }
const REGIONS = [
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'central',
  'hk',
  'tw',
]
const CHANNELS = ['web', 'app', 'store', 'mini']
const DAY = 86_400_000

/** What happened, as columns in order of event time. */
export interface Orders {
  readonly count: number
  readonly ts: Float64Array
  readonly source: Uint8Array
  readonly order: Uint32Array
  readonly user: Uint32Array
  readonly key: Uint8Array
  readonly refund: Uint8Array
  /** 1/10,000 of a unit. */
  readonly units: Float64Array
}

/** One journal record: when the server has it, and which orders are in it, in order of arrival. */
export interface Delivery {
  readonly at: number
  readonly rows: Uint32Array
}

/** Seeded, so that every run and every subject folds the same events (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `minutes` of orders, 1,000 a second over 8 sources and 40 keys; 3 % refunds, 4 % second events of an order. */
export function makeOrders(minutes: number, users: number, seed = 1): Orders {
  const random = chance(seed)
  const count = minutes * 60 * RATE
  const orders = {
    count,
    ts: new Float64Array(count),
    source: new Uint8Array(count),
    order: new Uint32Array(count),
    user: new Uint32Array(count),
    key: new Uint8Array(count),
    refund: new Uint8Array(count),
    units: new Float64Array(count),
  }
  for (let i = 0; i < count; i++) {
    const ms = i * (1_000 / RATE)
    const source = Math.floor(random() * SOURCES.length)
    const kind = random()
    const earlier = kind < 0.07 ? Math.max(0, i - 1 - Math.floor(random() * 5_000)) : i
    orders.ts[i] = BEGIN + ms - (ms % TICK)
    orders.source[i] = source
    orders.order[i] = orders.order[earlier] || i + 1
    orders.user[i] = earlier === i ? Math.floor(random() * users) : (orders.user[earlier] ?? 0)
    orders.key[i] = earlier === i ? Math.floor(random() * 40) : (orders.key[earlier] ?? 0)
    orders.refund[i] = kind < 0.03 ? 1 : 0
    // Most below 100.00, some past 10,000.00, where an amount takes both limbs.
    orders.units[i] = Math.floor(Math.min(1e6, 12 / (1 - random()) ** 0.8) * 100) * 100
  }
  return orders
}

/** Pareto: half within twice `least`, one in a hundred past a hundred times it. ms. */
function heavyTail(random: () => number, least: number): number {
  return Math.min(DAY, Math.floor(least / (1 - random())))
}

/** When what was sent at `ms` is there: the source that is cut off sends when it can again. */
function reached(source: number, ms: number): number {
  return source === CUT_OFF.source && ms >= CUT_OFF.from ? Math.max(ms, CUT_OFF.to) : ms
}

/**
 * How they arrive until the last minute ends: delays from 0.1 s with a heavy tail (2 % past B, 0.015 % past L), and
 * 2 % sent again. `mixed` records hold all sources, as a gateway or a replayed file has them; `own` ones a single one.
 */
export function deliver(
  orders: Orders,
  size: number,
  lanes: 'mixed' | 'own' = 'mixed',
  seed = 2,
): Delivery[] {
  const random = chance(seed)
  const arrivals: number[] = []
  const span = 2 ** 22
  for (let i = 0; i < orders.count; i++) {
    const source = orders.source[i] ?? 0
    const came = (orders.ts[i] ?? 0) - BEGIN + heavyTail(random, 100)
    arrivals.push(reached(source, came) * span + i)
    if (random() < 0.02) arrivals.push(reached(source, came + heavyTail(random, 500)) * span + i)
  }
  const until = (orders.count / RATE) * 1_000
  const waiting: number[][] = SOURCES.map(() => [])
  const out: Delivery[] = []
  for (const arrival of Float64Array.from(arrivals).sort()) {
    const row = arrival % span
    const at = (arrival - row) / span
    if (at >= until) break
    const lane = waiting[lanes === 'own' ? (orders.source[row] ?? 0) : 0] ?? []
    lane.push(row)
    if (lane.length === size) out.push({ at: BEGIN + at, rows: Uint32Array.from(lane.splice(0)) })
  }
  return out
}

/** A bijection of 32-bit words (murmur3's finalizer): ids that look random and never meet. */
function scatter(n: number): number {
  let x = n
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

const hex = (n: number) => n.toString(16).padStart(8, '0')
/** 23 characters. */
const eventIdOf = (i: number) => `ev_${hex(scatter(i + 1))}${hex(scatter(~i))}${hex(i).slice(4)}`

/** An order as it comes out of JSON.parse and the checks; the amount is already an integer. */
export interface ParsedOrder {
  readonly source: string
  readonly eventId: string
  readonly orderId: string
  readonly userId: string
  readonly type: 'order' | 'refund'
  /** 1/10,000 of a unit. */
  readonly units: number
  readonly currency: string
  readonly eventTime: number
  readonly dimensions: { readonly [name: string]: string }
}

function parsedOrder(orders: Orders, i: number): ParsedOrder {
  const key = orders.key[i] ?? 0
  return {
    source: SOURCES[orders.source[i] ?? 0] ?? '',
    eventId: eventIdOf(i),
    orderId: `o-${2_026_000_000 + (orders.order[i] ?? 0)}`,
    userId: `u-${100_000 + (orders.user[i] ?? 0)}`,
    type: orders.refund[i] === 1 ? 'refund' : 'order',
    units: orders.units[i] ?? 0,
    currency: 'CNY',
    eventTime: orders.ts[i] ?? 0,
    dimensions: { region: REGIONS[key >> 2] ?? '', channel: CHANNELS[key & 3] ?? '' },
  }
}

/** Through JSON and back: strings as a parser leaves them, flat and without a hash, not as concatenation does. */
export function objectsOf(orders: Orders, { rows }: Delivery): ParsedOrder[] {
  return JSON.parse(JSON.stringify(Array.from(rows, (i) => parsedOrder(orders, i))))
}

export function batchOf(orders: Orders, { at, rows }: Delivery): EventBatch {
  const builder = new EventBatchBuilder(rows.length * 60)
  for (const i of rows) {
    const { units, type, dimensions, ...order } = parsedOrder(orders, i)
    builder.add({
      ...order,
      journalTime: at,
      type: type === 'refund' ? REFUND : ORDER,
      amountHi: Math.floor(units / 1e8),
      amountLo: units % 1e8,
      dimensions: Object.entries(dimensions),
    })
  }
  return builder.build()
}

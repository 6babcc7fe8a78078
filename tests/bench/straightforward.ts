import type { PipelineSpec } from '../../server/contracts/pipelineSpec'
import type { ParsedOrder } from './workload'

/*
 * The same rules as one would write them in an afternoon: objects, Map and Set of strings. It is what the engine's
 * figures are a multiple of, so it must compute the same: every revision of every row is compared (engineTotals.ts).
 * It knows what the benchmark needs: bounded watermarks, tumbling windows, days of a zone without summer time.
 */
interface Cell {
  readonly view: string
  readonly start: number
  readonly key: string
  readonly window: Window
  gross: number
  refunds: number
  events: number
  readonly orders: Set<string>
  readonly buyers: Set<string>
  revision: number
}

interface Window {
  readonly end: number
  fired: boolean
  readonly cells: Map<string, Cell>
}

interface View {
  readonly id: string
  readonly size: number
  readonly offset: number
  readonly groupBy: readonly string[]
  readonly windows: Map<number, Window>
}

interface Source {
  watermark: number
  timer: number
  idle: boolean
}

/** A published value of a row. */
export interface Result {
  readonly view: string
  readonly start: number
  /** `currency|dimension|…` */
  readonly key: string
  readonly kind: string
  readonly revision: number
  /** 1/10,000 of a unit. */
  readonly gross: number
  readonly refunds: number
  readonly orders: number
  readonly buyers: number
  readonly events: number
  /** Under which it was published, ms; null at the end of time. */
  readonly watermark: number | null
}

const startOf = (view: View, ts: number) =>
  Math.floor((ts - view.offset) / view.size) * view.size + view.offset

export class Straightforward {
  readonly counts = { received: 0, inTime: 0, corrected: 0, late: 0, duplicate: 0 }
  readonly #views: readonly View[]
  readonly #base: View
  readonly #sources = new Map<string, Source>()
  /** By base window: the ids of each source. */
  readonly #ids = new Map<number, Map<string, Set<string>>>()
  readonly #bound: number
  readonly #lateness: number
  readonly #idleTimeout: number
  #watermark = Number.NEGATIVE_INFINITY
  #at = 0
  /** With the watermark under which the last of its events was counted. */
  #pending = new Map<Cell, number>()
  #results: Result[] = []

  constructor(spec: PipelineSpec, at: number) {
    if (spec.strategy.kind !== 'bounded') throw new RangeError('bounded watermarks only')
    this.#bound = spec.strategy.bound
    this.#lateness = spec.allowedLateness
    this.#idleTimeout = spec.idleTimeout ?? Number.POSITIVE_INFINITY
    this.#views = spec.views.map(viewOf)
    this.#base = this.#views.reduce((a, b) => (b.size < a.size ? b : a))
    for (const { name } of spec.sources) this.#join(name, at)
  }

  get liveIds(): number {
    let ids = 0
    for (const bySource of this.#ids.values()) for (const set of bySource.values()) ids += set.size
    return ids
  }

  fold(at: number, orders: readonly ParsedOrder[]): Result[] {
    this.#results = []
    this.#passTime(at)
    for (const order of orders) this.#take(order, at)
    for (const [cell, watermark] of this.#pending) this.#publish(cell, 'correction', watermark)
    return this.#results
  }

  /** Nothing more will come. */
  end(): Result[] {
    this.#results = []
    this.#rise(Number.POSITIVE_INFINITY)
    return this.#results
  }

  #take(order: ParsedOrder, at: number): void {
    const source = this.#sources.get(order.source) ?? this.#join(order.source, at)
    source.timer = at
    source.idle = false
    this.counts.received++
    const start = startOf(this.#base, order.eventTime)
    if (this.#ids.get(start)?.get(order.source)?.has(order.eventId)) {
      this.counts.duplicate++
      return
    }
    if (this.#watermark >= start + this.#base.size - 1 + this.#lateness) this.counts.late++
    else this.#count(order, start)
    const watermark = order.eventTime - this.#bound - 1
    if (watermark <= source.watermark) return
    source.watermark = watermark
    this.#rise(this.#combined())
  }

  #count(order: ParsedOrder, baseStart: number): void {
    let corrects = false
    for (const view of this.#views) {
      const cell = this.#cellOf(view, order)
      cell.events++
      if (order.type === 'refund') cell.refunds += order.units
      else {
        cell.gross += order.units
        cell.orders.add(order.orderId)
        cell.buyers.add(order.userId)
      }
      if (!cell.window.fired) continue
      corrects = true
      this.#pending.set(cell, this.#watermark)
      if (cell.revision === 0) this.#publish(cell, 'correction', this.#watermark)
    }
    this.#idsOf(baseStart, order.source).add(order.eventId)
    this.counts[corrects ? 'corrected' : 'inTime']++
  }

  #idsOf(baseStart: number, source: string): Set<string> {
    const bySource = this.#ids.get(baseStart) ?? new Map<string, Set<string>>()
    this.#ids.set(baseStart, bySource)
    const ids = bySource.get(source) ?? new Set<string>()
    bySource.set(source, ids)
    return ids
  }

  #cellOf(view: View, order: ParsedOrder): Cell {
    const start = startOf(view, order.eventTime)
    let window = view.windows.get(start)
    if (!window) {
      const end = start + view.size
      window = { end, fired: this.#watermark >= end - 1, cells: new Map() }
      view.windows.set(start, window)
    }
    let key = order.currency
    for (const name of view.groupBy) key += `|${name === 'userId' ? order.userId : order.dimensions[name]}`
    let cell = window.cells.get(key)
    if (!cell) {
      const zero = { gross: 0, refunds: 0, events: 0, revision: 0 }
      const sets = { orders: new Set<string>(), buyers: new Set<string>() }
      cell = { view: view.id, start, key, window, ...zero, ...sets }
      window.cells.set(key, cell)
    }
    return cell
  }

  #passTime(at: number): void {
    if (at === this.#at) return
    this.#at = at
    for (const source of this.#sources.values()) {
      if (at - source.timer > this.#idleTimeout) source.idle = true
    }
    this.#rise(this.#combined())
  }

  #combined(): number {
    let least = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    for (const { watermark, idle } of this.#sources.values()) {
      if (watermark > most) most = watermark
      if (!idle && watermark < least) least = watermark
    }
    return least === Number.POSITIVE_INFINITY ? most : least
  }

  #rise(watermark: number): void {
    if (watermark <= this.#watermark) return
    this.#watermark = watermark
    for (const view of this.#views) {
      for (const [start, window] of view.windows) {
        if (!window.fired && watermark >= window.end - 1) {
          window.fired = true
          for (const cell of window.cells.values()) this.#publish(cell, 'on-time', watermark)
        }
        if (watermark < window.end - 1 + this.#lateness) continue
        view.windows.delete(start)
        if (view === this.#base) this.#ids.delete(start)
      }
    }
  }

  #publish(cell: Cell, kind: string, under: number): void {
    this.#pending.delete(cell)
    cell.revision++
    const { view, start, key, revision, gross, refunds, events } = cell
    const [orders, buyers] = [cell.orders.size, cell.buyers.size]
    const watermark = Number.isFinite(under) ? under : null
    this.#results.push({
      view,
      start,
      key,
      kind,
      revision,
      gross,
      refunds,
      orders,
      buyers,
      events,
      watermark,
    })
  }

  #join(name: string, at: number): Source {
    const source = { watermark: Number.NEGATIVE_INFINITY, timer: at, idle: false }
    this.#sources.set(name, source)
    return source
  }
}

function viewOf({ id, window, groupBy }: PipelineSpec['views'][number]): View {
  if (window.kind === 'tumbling') {
    return { id, size: window.size, offset: window.offset, groupBy, windows: new Map() }
  }
  if (window.kind !== 'calendar' || window.zone !== 'Asia/Shanghai')
    throw new RangeError('no such window here')
  return { id, size: 86_400_000, offset: -8 * 3_600_000, groupBy, windows: new Map() }
}

import type { PipelineSpec, ViewSpec } from '../../server/contracts/pipelineSpec'
import type { Item } from './program'

/*
 * The rules of semantics.md once more: plain, slow, and sharing no code with the engine. It keeps every counted event
 * and works every number out anew, money as BigInt. Nothing here is clever; when it and the engine differ, read it.
 */
type Event = Extract<Item, { kind: 'event' }>
interface Source {
  wm: number
  timer: number
  idle: boolean
  bound: number
  timeout: number | null
}
export type Said = 'inTime' | 'corrected' | 'late' | 'duplicate' | 'conflict' | 'quarantined' | 'nothing'
export interface Published {
  kind: string
  watermark: number
  values: string
}

/** First instants of Berlin's days from 2026-10-20 to 11-10; the 25th has 25 hours. Written out, not computed. */
const BERLIN = [-5, -4, -3, -2, -1, 0].map((d) => 1_792_879_200_000 + d * 86_400_000)
for (let d = 0; d < 18; d++) BERLIN.push(1_792_969_200_000 + d * 86_400_000)

export class SlowModel {
  W = Number.NEGATIVE_INFINITY
  late: { id: string; start: number; end: number; W: number; by: number }[] = []
  published = new Map<string, Published[]>()
  counted: Event[] = []
  #sources = new Map<string, Source>()
  #fired = new Set<string>()
  #spec: PipelineSpec
  #base: ViewSpec

  constructor(spec: PipelineSpec, base: string, at: number) {
    this.#spec = spec
    const view = spec.views.find((v) => v.id === base)
    if (!view) throw new RangeError(`no view ${base}`)
    this.#base = view
    for (const source of spec.sources) this.#join(source.name, at)
  }

  take(item: Item): Said {
    if (item.kind === 'resumed') {
      this.#passTime(item.pausedAt)
      for (const s of this.#sources.values()) {
        if (!s.idle) s.timer += Math.max(0, item.at - Math.max(item.pausedAt, s.timer))
      }
    }
    this.#passTime(item.at)
    if (item.kind === 'reject') return 'quarantined'
    if (item.kind !== 'event') return 'nothing'
    const source = this.#sources.get(item.source) ?? this.#join(item.source, item.at)
    source.timer = item.at
    source.idle = false
    const first = this.counted.find(
      (e) => e.source === item.source && e.id === item.id && !this.isClosed(this.span(this.#base, e.ts).end),
    )
    if (first) return content(first) === content(item) ? 'duplicate' : 'conflict'
    const said = this.#judge(item)
    source.wm = Math.max(source.wm, item.ts - source.bound - 1)
    this.#publishWatermark()
    return said
  }

  #judge(event: Event): Said {
    const { start, end } = this.span(this.#base, event.ts)
    if (this.isClosed(end)) {
      const by = this.W - (end - 1 + this.#spec.allowedLateness)
      this.late.push({ id: event.id, start, end, W: this.W, by })
      return 'late'
    }
    this.counted.push(event)
    const fired = this.#spec.views.filter((v) => this.W >= this.span(v, event.ts).end - 1)
    for (const view of fired) {
      this.#fired.add(`${view.id}@${this.span(view, event.ts).start}`)
      this.#publish(this.rowOf(view, event), 'correction')
    }
    return fired.length > 0 ? 'corrected' : 'inTime'
  }

  #join(name: string, at: number): Source {
    const own = this.#spec.sources.find((s) => s.name === name)
    const timeout = own?.idleTimeout === undefined ? this.#spec.idleTimeout : own.idleTimeout
    const { bound } = own?.strategy ?? this.#spec.strategy
    const source = { wm: Number.NEGATIVE_INFINITY, timer: at, idle: false, bound, timeout }
    this.#sources.set(name, source)
    return source
  }

  #passTime(at: number): void {
    for (const s of this.#sources.values()) if (s.timeout !== null && at - s.timer > s.timeout) s.idle = true
    this.#publishWatermark()
  }

  #publishWatermark(): void {
    const all = [...this.#sources.values()]
    const active = all.filter((s) => !s.idle)
    if (all.length === 0) return
    const W = active.length > 0 ? Math.min(...active.map((s) => s.wm)) : Math.max(...all.map((s) => s.wm))
    if (W <= this.W) return
    this.W = W
    for (const view of this.#spec.views) {
      const due = this.counted.filter((e) => this.W >= this.span(view, e.ts).end - 1)
      const windows = new Set(due.map((e) => `${view.id}@${this.span(view, e.ts).start}`))
      const rows = new Set(due.map((e) => this.rowOf(view, e)))
      for (const row of rows) if (!this.#fired.has(row.split(' ')[0] ?? '')) this.#publish(row, 'on-time')
      for (const window of windows) this.#fired.add(window)
    }
  }

  #publish(row: string, kind: string): void {
    const list = this.published.get(row) ?? []
    this.published.set(row, [...list, { kind, watermark: this.W, values: this.values(row) }])
  }

  isClosed(end: number): boolean {
    return this.W >= end - 1 + this.#spec.allowedLateness
  }

  span(view: ViewSpec, ts: number): { start: number; end: number } {
    if (view.window.kind === 'calendar') {
      const after = BERLIN.findIndex((first) => first > ts)
      return { start: BERLIN[after - 1] ?? Number.NaN, end: BERLIN[after] ?? Number.NaN }
    }
    const { size, offset } = view.window
    const start = Math.floor((ts - offset) / size) * size + offset
    return { start, end: start + size }
  }

  /** `view@start key`: the key that an event is counted under, `__other__` once the window holds `maxKeys`. */
  rowOf(view: ViewSpec, event: Event): string {
    const { start } = this.span(view, event.ts)
    const window = `${view.id}@${start}`
    const keys: string[] = []
    for (const e of this.counted) {
      if (this.span(view, e.ts).start !== start) continue
      const dims = view.groupBy.map((name) => e.dims?.[name]?.replace(/^(\\*__other__)$/, '\\$1') ?? null)
      let key = JSON.stringify([e.currency, ...dims])
      if (!keys.includes(key)) {
        if (keys.length < view.maxKeys || dims.length === 0) keys.push(key)
        else key = JSON.stringify([e.currency, ...dims.map(() => '__other__')])
      }
      if (e === event) return `${window} ${key}`
    }
    throw new RangeError('not counted')
  }

  /** gross, refunds, net, orders, buyers, events of a row, worked out from all counted events. */
  values(row: string): string {
    const view = this.#spec.views.find((v) => row.startsWith(`${v.id}@`))
    const events = view ? this.counted.filter((e) => this.rowOf(view, e) === row) : []
    const orders = events.filter((e) => !e.refund)
    const sum = (list: Event[]) => list.reduce((total, e) => total + tenThousandths(e.amount), 0n)
    const [gross, refunds] = [sum(orders), sum(events.filter((e) => e.refund))]
    const distinct = (ids: (string | undefined)[]) => new Set(ids.filter((x) => x !== undefined)).size
    const people = [distinct(orders.map((e) => e.order)), distinct(orders.map((e) => e.user))]
    return [gross, refunds, gross - refunds, ...people, events.length].join(' ')
  }
}

export function tenThousandths(amount: string): bigint {
  const [whole = '', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(4, '0'))
}

function content(e: Event): string {
  const dims = Object.entries(e.dims ?? {}).sort()
  return JSON.stringify([
    e.ts,
    e.order,
    e.user,
    e.currency,
    Boolean(e.refund),
    tenThousandths(e.amount).toString(),
    dims,
  ])
}

import type { Item } from './items'
import type { Step, StepOf } from './steps'
import { strategyOf } from './strategies'

type EventItem = Extract<Item, { kind: 'event' }>
type Command = Extract<Item, { kind: 'command' }>['command']

/** A stretch of the program in which one source sends again what happened two days ago. */
export interface History {
  readonly source: string
  readonly from: number
  readonly to: number
}

const TWO_DAYS = 172_800_000

/** Turns steps into what happens, in journal time from `start`; a unit of time has `scale` ms. */
export class Happenings {
  readonly items: Item[] = []
  readonly cuts: boolean[] = []
  #at: number
  #scale: number
  #punctuated: ReadonlySet<string>
  #history: History | null
  #events: EventItem[] = []
  #step = 0

  constructor(start: number, scale: number, punctuated: ReadonlySet<string>, history: History | null) {
    this.#at = start
    this.#scale = scale
    this.#punctuated = punctuated
    this.#history = history
  }

  /** `cutPercent` of the steps begin a record of their own. */
  take(step: Step, cutPercent: number): void {
    this.#step++
    const before = this.#at
    this.#at += step.gap * this.#scale
    for (const item of this.#itemsOf(step, before)) {
      this.items.push(item)
      this.cuts.push(step.cut < cutPercent)
    }
  }

  #itemsOf(step: Step, before: number): Item[] {
    const at = this.#at
    switch (step.what) {
      case 'event':
        return this.#event(step)
      case 'again':
        return this.#again(step)
      case 'mark':
        return [{ kind: 'mark', at, source: step.source, mark: this.#ago(step.delay, step.jitter) }]
      case 'reject':
        return [{ kind: 'reject', at, source: step.source }]
      case 'tick':
        return [{ kind: 'tick', at }]
      case 'pause':
        return this.#pause(step, before)
      case 'command':
        return this.#commands(step).map((command) => ({ kind: 'command', at, command }))
      case 'change': {
        const { change: what, n } = step
        const ms = step.length * this.#scale
        const strategy = strategyOf(step.strategy, this.#scale)
        return [{ kind: 'change', at, change: { what, n, ms, strategy } }]
      }
    }
  }

  /** In small units every ms counts as it is; in quarters of an hour, one off is one of the jitter. */
  #ago(delay: number, jitter: number): number {
    return this.#at - delay * this.#scale + (this.#scale > 1 ? jitter : 0)
  }

  #event(step: StepOf<'event'>): Item[] {
    const at = this.#at
    const { source, refund, amount, currency } = step
    const dims = { ...(step.region && { region: step.region }), ...(step.ch && { ch: step.ch }) }
    const who = { order: `o${step.order}`, user: step.user === undefined ? undefined : `u${step.user}` }
    const id = step.id < 40 ? `e${step.id}` : `n${this.#step}`
    const ts = this.#ago(step.delay, step.jitter) - (this.#sendsHistory(source) ? TWO_DAYS : 0)
    const event = { kind: 'event', at, ts, source, id, ...who, refund, amount, currency, dims } as const
    this.#events.push(event)
    if (!step.marked || !this.#punctuated.has(source)) return [event]
    return [event, { kind: 'mark', at, source, mark: ts - 3 * this.#scale }]
  }

  #sendsHistory(source: string): boolean {
    const history = this.#history
    return history?.source === source && this.#step >= history.from && this.#step < history.to
  }

  #again({ pick, amended }: StepOf<'again'>): Item[] {
    const known = this.#events.length
    const recent = pick % 3 > 0 ? Math.min(known, 12) : known
    const event = this.#events[known - 1 - (pick % Math.max(1, recent))]
    if (!event) return []
    const change = { no: {}, amount: { amount: '7.77' }, ts: { ts: event.ts + 1 }, user: { user: 'u9' } }
    return [{ ...event, ...change[amended], at: this.#at }]
  }

  #pause({ told, ticks, back, gap }: StepOf<'pause'>, before: number): Item[] {
    const pausedAt = told ? this.#at : before + Math.floor((gap * this.#scale * back) / 100)
    const items: Item[] = told ? [{ kind: 'paused', at: this.#at }] : []
    for (const units of told ? ticks : []) {
      this.#at += units * this.#scale
      items.push({ kind: 'tick', at: this.#at })
    }
    if (told) this.#at += back * this.#scale
    return [...items, { kind: 'resumed', at: this.#at, pausedAt }]
  }

  #commands({ kind, source, delay, n, ...step }: StepOf<'command'>): Command[] {
    const strategy = strategyOf(step.strategy, this.#scale)
    const idleTimeout = n % 5 === 0 ? null : (1 + (n % 60)) * this.#scale
    const everybody = n % 4 === 0 ? null : source
    switch (kind) {
      case 'setStrategy':
        return [{ kind, source: everybody, strategy, ...(n % 3 === 0 && { idleTimeout }) }]
      case 'setIdleTimeout':
        return [{ kind: 'setStrategy', source: everybody, idleTimeout }]
      case 'declareSource': {
        const own = { ...(n % 2 === 0 && { strategy }), ...(n % 3 === 0 && { idleTimeout }) }
        return [{ kind, source: { name: source, test: n % 5 === 1, pulled: n % 2 === 1, ...own } }]
      }
      case 'forceWatermark':
        return [{ kind, to: this.#ago(delay, 0) }]
      default:
        return [{ kind, source }]
    }
  }
}

import type { ViewSpec } from '../../../server/contracts/viewSpec'
import type { Item } from '../program/items'

export type EventItem = Extract<Item, { kind: 'event' }>

/** An event that was counted: kept for ever, so that every number can be worked out anew. */
export interface Counted {
  readonly item: EventItem
  /** Amount in 1/10,000 of the currency's unit. */
  readonly units: bigint
  /** Windows of the base view that it was counted in; its id lives while one of them does. */
  base: Win[]
  /** Its key was folded into `__other__` in some view. */
  overflowed: boolean
}

export interface Row {
  readonly key: string
  readonly events: Counted[]
  revision: number
  /** What its last revision said; null before the first. */
  published: string | null
  /** Watermark under which its last correction was counted that no revision has told yet. */
  pending: number | null
}

export type WinState = 'live' | 'closed' | 'superseded'

/** A window that holds events; of a session view, one session of one key. */
export interface Win {
  readonly view: string
  readonly id: number
  start: number
  end: number
  /** The allowed lateness that it was created under. */
  lateness: number
  fired: boolean
  byInactivity: boolean
  leftOut: string[]
  state: WinState
  readonly rows: Map<string, Row>
}

export const ZEROS = '0 0 0 0 0 0'

/** gross, refunds, net (1/10,000s), orders, buyers and events, worked out from the events themselves. */
export function valuesOf(row: Row): string {
  const orders = row.events.filter((e) => !e.item.refund)
  const refunds = row.events.filter((e) => e.item.refund)
  const sum = (list: readonly Counted[]) => list.reduce((total, e) => total + e.units, 0n)
  const distinct = (ids: (string | undefined)[]) => new Set(ids.filter((x) => x !== undefined)).size
  const people = [distinct(orders.map((e) => e.item.order)), distinct(orders.map((e) => e.item.user))]
  const money = [sum(orders), sum(refunds), sum(orders) - sum(refunds)]
  return [...money, ...people, row.events.length].join(' ')
}

export function statusOf(win: Win): string {
  if (win.state !== 'live') return win.state
  return win.fired ? 'fired' : 'open'
}

export function tenThousandths(amount: string): bigint {
  const [whole = '', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(4, '0'))
}

/** All that a repeat must say again to be no conflict. */
export function content(e: EventItem): string {
  const said = [e.ts, e.order, e.user, e.currency, Boolean(e.refund), tenThousandths(e.amount).toString()]
  return JSON.stringify([...said, Object.entries(e.dims ?? {}).sort()])
}

/** Canonical JSON of currency and dimensions; a real value that looks like the reserved name is escaped. */
export function keyOf(view: ViewSpec, e: EventItem): string {
  const dims = view.groupBy.map((name) => {
    const value = name === 'userId' ? e.user : e.dims?.[name]
    return value?.replace(/^(\\*__other__)$/, '\\$1') ?? null
  })
  return JSON.stringify([e.currency ?? 'USD', ...dims])
}

export function otherKey(view: ViewSpec, e: EventItem): string {
  return JSON.stringify([e.currency ?? 'USD', ...view.groupBy.map(() => '__other__')])
}

export function isOther(key: string): boolean {
  const [, ...dims] = JSON.parse(key)
  return dims.length > 0 && dims.every((dim: unknown) => dim === '__other__')
}

import { type EventFields, eventAt, REFUND } from '../../../server/contracts/eventBatch'
import { fromUnits, toDecimal, toUnits } from '../../../server/contracts/money'
import type { ViewSpec } from '../../../server/contracts/viewSpec'
import type { Run } from '../engine'
import { keyOf } from '../slowModel/rows'
import { spansOf } from '../slowModel/spans'

/** A row worked out from nothing but the events that count in it. */
export interface PlainRow {
  readonly gross: string
  readonly refunds: string
  readonly orders: number
  readonly buyers: number
  readonly events: number
}

/**
 * What every row must show, summed up from all events that are in the figures: slow and obvious, sharing no code with
 * the engine. By `view@windowId key`. Views that fold keys away are summed up under `*` a window and currency.
 */
export function plainRows(run: Run): Map<string, PlainRow> {
  const rows = new Map<string, EventFields[]>()
  for (const { batch, counted } of run.past.everything(run.state.position + 1)) {
    for (let row = 0; row < batch.count; row++) {
      if (!counted(row)) continue
      const event = eventAt(batch, row)
      for (const view of run.spec.views) {
        for (const name of namesOf(view, event)) rows.set(name, [...(rows.get(name) ?? []), event])
      }
    }
  }
  return new Map([...rows].map(([name, events]) => [name, sumOf(events)]))
}

function namesOf(view: ViewSpec, event: EventFields): string[] {
  const time = view.time === 'journal' ? event.journalTime : event.eventTime
  const item = {
    currency: event.currency,
    user: event.userId ?? undefined,
    dims: Object.fromEntries(event.dimensions),
  }
  const key = folds(view) ? JSON.stringify([event.currency, '*']) : keyOf(view, item as never)
  return spansOf(view.window, time).map(({ id }) => `${view.id}@${id} ${key}`)
}

export function folds(view: ViewSpec): boolean {
  return view.maxKeys < 100
}

function sumOf(events: readonly EventFields[]): PlainRow {
  const orders = events.filter(({ type }) => type !== REFUND)
  const money = (list: readonly EventFields[]) =>
    list.reduce((sum, { amountHi, amountLo }) => sum + toUnits({ hi: amountHi, lo: amountLo }), 0n)
  const distinct = (ids: (string | null)[]) => new Set(ids.filter((id) => id !== null)).size
  return {
    gross: toDecimal(fromUnits(money(orders))),
    refunds: toDecimal(fromUnits(money(events.filter(({ type }) => type === REFUND)))),
    orders: distinct(orders.map(({ orderId }) => orderId)),
    buyers: distinct(orders.map(({ userId }) => userId)),
    events: events.length,
  }
}

/** What an engine shows, in the same shape; rows of nothing, which a void may leave, are left out. */
export function shownRows(run: Run): Map<string, PlainRow> {
  const shown = new Map<string, PlainRow>()
  for (const { view, windowId, key, gross, refunds, orders, buyers, events } of run.rows.values()) {
    if (events === 0) continue
    const spec = run.spec.views.find((v) => v.id === view)
    if (!spec || folds(spec)) continue
    shown.set(`${view}@${windowId} ${key}`, { gross, refunds, orders, buyers, events })
  }
  return shown
}

/** Sums over the keys of views that fold some away: what must be right whoever was folded. */
export function shownSums(run: Run): Map<string, { gross: string; events: number }> {
  const sums = new Map<string, { units: bigint; events: number }>()
  for (const { view, windowId, key, gross, events } of run.rows.values()) {
    const spec = run.spec.views.find((v) => v.id === view)
    if (!spec || !folds(spec)) continue
    const name = `${view}@${windowId} ${JSON.stringify([JSON.parse(key)[0], '*'])}`
    const sum = sums.get(name) ?? { units: 0n, events: 0 }
    sums.set(name, { units: sum.units + BigInt(gross.replace('.', '')), events: sum.events + events })
  }
  return new Map(
    [...sums]
      .filter(([, { events }]) => events > 0)
      .map(([name, { units, events }]) => [name, { gross: toDecimal(fromUnits(units)), events }]),
  )
}

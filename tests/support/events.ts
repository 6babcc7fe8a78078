import { type EventBatch, EventBatchBuilder, ORDER, REFUND } from '../../server/contracts/eventBatch'
import { fromDecimal } from '../../server/contracts/money'
import type { Rejected } from '../../server/contracts/quarantine'

/** A compact event: `ts` is its event time, `at` its journal time (the record's, when left out). */
export interface Ev {
  ts: number
  at?: number
  source?: string
  id?: string
  order?: string
  user?: string
  amount?: string
  refund?: boolean
  currency?: string
  dims?: Record<string, string>
}

/** Events as columns. Ids that are left out are `e0`, `e1` … from `firstId`; an order's id is its event's. */
export function batchOf(events: readonly Ev[], at = 0, firstId = 0): EventBatch {
  const builder = new EventBatchBuilder()
  events.forEach((e, i) => {
    const id = e.id ?? `e${firstId + i}`
    const amount = fromDecimal(e.amount ?? '1')
    builder.add({
      journalTime: e.at ?? at,
      source: e.source ?? 'a',
      eventId: id,
      orderId: e.order ?? id,
      userId: e.user ?? null,
      type: e.refund ? REFUND : ORDER,
      amountHi: amount.hi,
      amountLo: amount.lo,
      currency: e.currency ?? 'USD',
      eventTime: e.ts,
      dimensions: Object.entries(e.dims ?? {}),
    })
  })
  return builder.build()
}

export function rejectedOf(source: string): Rejected {
  const nothing = { index: 0, eventId: null, field: null, raw: '', cut: false }
  return { ...nothing, source, code: 'future_timestamp', message: 'test' }
}

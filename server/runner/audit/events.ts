import { type EventBatch, eventAt, REFUND } from '../../contracts/eventBatch'
import { toDecimal } from '../../contracts/money'
import type { AuditEvent } from '../../store/audit/fill'

/** The events of a record in words, for sums that know nothing of columns. */
export function auditEvents(batch: EventBatch, position: number): AuditEvent[] {
  return Array.from({ length: batch.count }, (_, row) => {
    const {
      journalTime,
      orderId: _order,
      type,
      amountHi,
      amountLo,
      dimensions,
      ...event
    } = eventAt(batch, row)
    return {
      ...event,
      position,
      row,
      at: journalTime,
      type: type === REFUND ? 'refund' : 'order',
      amount: toDecimal({ hi: amountHi, lo: amountLo }),
      dimensions: Object.fromEntries(dimensions),
    }
  })
}

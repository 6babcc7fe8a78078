import type { Revision } from '../../contracts/windowRow'
import { keyText } from '../keyText'
import { type Transaction, writeRows } from './rows'

const INSERT = `
  INSERT INTO revision (view, version, window_id, start_at, end_at, key, currency, dims, revision, kind,
    before_gross, before_refunds, before_orders, before_buyers, before_events,
    after_gross, after_refunds, after_orders, after_buyers, after_events,
    delta_net, event_count, event_ids, late_by, watermark, at, pos, by)
  SELECT view, version, "windowId", start, "end", key, currency, dims, revision, kind,
    before_gross, before_refunds, before_orders, before_buyers, before_events,
    after_gross, after_refunds, after_orders, after_buyers, after_events,
    "deltaNet", "eventCount", "eventIds", "lateBy", watermark, at, pos, by
  FROM json_to_recordset($1::json) AS r(view text, version int, "windowId" bigint, start bigint, "end" bigint, key text,
    currency text, dims jsonb, revision int, kind text, before_gross numeric, before_refunds numeric, before_orders bigint,
    before_buyers bigint, before_events bigint, after_gross numeric, after_refunds numeric, after_orders bigint,
    after_buyers bigint, after_events bigint, "deltaNet" numeric, "eventCount" int, "eventIds" text[], "lateBy" bigint,
    watermark bigint, at bigint, pos bigint, by text)`

/** `unlessThere`: those that are there already are left as they are, which is the same; else they must not be. */
export function insertRevisions(
  tx: Transaction,
  revisions: readonly Revision[],
  how: 'all' | 'unlessThere' = 'all',
): Promise<void> {
  const sql = how === 'all' ? INSERT : `${INSERT} ON CONFLICT DO NOTHING`
  return writeRows(tx, sql, revisions.map(columnsOf))
}

/** Field by field: at a night's end there are a hundred thousand, and spreading each costs more than writing it. */
function columnsOf(revision: Revision): unknown {
  const { before, after } = revision
  return {
    view: revision.view,
    version: revision.version,
    windowId: revision.windowId,
    start: revision.start,
    end: revision.end,
    key: keyText(revision.currency, revision.dims),
    currency: revision.currency,
    dims: revision.dims,
    revision: revision.revision,
    kind: revision.kind,
    before_gross: before?.gross,
    before_refunds: before?.refunds,
    before_orders: before?.orders,
    before_buyers: before?.buyers,
    before_events: before?.events,
    after_gross: after.gross,
    after_refunds: after.refunds,
    after_orders: after.orders,
    after_buyers: after.buyers,
    after_events: after.events,
    deltaNet: revision.deltaNet,
    eventCount: revision.eventCount,
    eventIds: revision.eventIds,
    lateBy: revision.lateBy,
    watermark: revision.watermark,
    at: revision.at,
    pos: revision.pos,
    by: revision.by,
  }
}

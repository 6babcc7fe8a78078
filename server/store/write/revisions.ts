import type { Measures, Revision } from '../../contracts/windowRow'
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
  FROM jsonb_to_recordset($1::jsonb) AS r(view text, version int, "windowId" bigint, start bigint, "end" bigint, key text,
    currency text, dims jsonb, revision int, kind text, before_gross numeric, before_refunds numeric, before_orders bigint,
    before_buyers bigint, before_events bigint, after_gross numeric, after_refunds numeric, after_orders bigint,
    after_buyers bigint, after_events bigint, "deltaNet" numeric, "eventCount" int, "eventIds" text[], "lateBy" bigint,
    watermark bigint, at bigint, pos bigint, by text)`

export function insertRevisions(tx: Transaction, revisions: readonly Revision[]): Promise<void> {
  return writeRows(tx, INSERT, revisions.map(columnsOf))
}

function columnsOf({ before, after, ...rest }: Revision): unknown {
  return {
    ...rest,
    key: keyText(rest.currency, rest.dims),
    ...prefixed('before', before),
    ...prefixed('after', after),
  }
}

function prefixed(prefix: string, measures: Measures | null) {
  const names = ['gross', 'refunds', 'orders', 'buyers', 'events'] as const
  return Object.fromEntries(names.map((name) => [`${prefix}_${name}`, measures?.[name] ?? null]))
}

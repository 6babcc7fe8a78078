import type { ClosedWindow } from '../../contracts/flush'
import type { WindowRow } from '../../contracts/windowRow'
import { keyText } from '../keyText'
import { type Transaction, writeRows } from './rows'

/** A session's start and end move while it is open; every other column but the key may change too. */
const UPSERT = `
  INSERT INTO window_row (view, version, window_id, start_at, end_at, key, currency, dims, status, gross, refunds, orders,
    buyers, events, revision, by_inactivity, left_out, fired_at, updated_at, watermark, pos, sketch_orders, sketch_buyers)
  SELECT view, version, "windowId", start, "end", key, currency, dims, status, gross, refunds, orders,
    buyers, events, revision, "byInactivity", "leftOut", "firedAt", "updatedAt", watermark, pos,
    decode(sketches ->> 'orders', 'base64'), decode(sketches ->> 'buyers', 'base64')
  FROM json_to_recordset($1::json) AS r(view text, version int, "windowId" bigint, start bigint, "end" bigint, key text,
    currency text, dims jsonb, status text, gross numeric, refunds numeric, orders bigint, buyers bigint, events bigint,
    revision int, "byInactivity" boolean, "leftOut" text[], "firedAt" bigint, "updatedAt" bigint, watermark bigint,
    pos bigint, sketches jsonb)
  ON CONFLICT (view, version, window_id, key) DO UPDATE SET
    start_at = excluded.start_at, end_at = excluded.end_at, status = excluded.status, gross = excluded.gross,
    refunds = excluded.refunds, orders = excluded.orders, buyers = excluded.buyers, events = excluded.events,
    revision = excluded.revision, by_inactivity = excluded.by_inactivity, left_out = excluded.left_out,
    fired_at = excluded.fired_at, updated_at = excluded.updated_at, watermark = excluded.watermark, pos = excluded.pos,
    sketch_orders = excluded.sketch_orders, sketch_buyers = excluded.sketch_buyers`

/** A row that was superseded stays so. */
const CLOSE = `
  UPDATE window_row w SET status = 'closed'
  FROM json_to_recordset($1::json) AS c(view text, version int, "windowId" bigint)
  WHERE w.view = c.view AND w.version = c.version AND w.window_id = c."windowId" AND w.status = 'fired'`

export function upsertWindowRows(tx: Transaction, rows: readonly WindowRow[]): Promise<void> {
  return writeRows(
    tx,
    UPSERT,
    rows.map((row) => ({ ...row, key: keyText(row.currency, row.dims) })),
  )
}

export function closeWindows(tx: Transaction, closed: readonly ClosedWindow[]): Promise<void> {
  return writeRows(tx, CLOSE, closed)
}

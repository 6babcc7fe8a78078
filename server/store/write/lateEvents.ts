import type { LateEvent, MissedWindows } from '../../contracts/windowRow'
import { type Transaction, writeRows } from './rows'

const UPSERT_LATE = `
  INSERT INTO late_event (source, event_id, order_id, user_id, type, amount, currency, event_time, dimensions,
    window_start, window_end, watermark, late_by, received_at, position, row, seen)
  SELECT source, "eventId", "orderId", "userId", type, amount, currency, "eventTime", dimensions,
    "windowStart", "windowEnd", watermark, "lateBy", "receivedAt", position, "row", seen
  FROM json_to_recordset($1::json) AS r(source text, "eventId" text, "orderId" text, "userId" text, type text, amount numeric,
    currency text, "eventTime" bigint, dimensions jsonb, "windowStart" bigint, "windowEnd" bigint, watermark bigint,
    "lateBy" bigint, "receivedAt" bigint, position bigint, "row" int, seen int)
  ON CONFLICT (source, event_id) DO UPDATE SET seen = late_event.seen + excluded.seen`

const INSERT_MISSED = `
  INSERT INTO missed_window (position, row, view, source, event_id, event_time, windows, first_start, last_end, watermark,
    received_at)
  SELECT position, "row", view, source, "eventId", "eventTime", windows, "firstStart", "lastEnd", watermark, "receivedAt"
  FROM json_to_recordset($1::json) AS r(position bigint, "row" int, view text, source text, "eventId" text,
    "eventTime" bigint, windows int, "firstStart" bigint, "lastEnd" bigint, watermark bigint, "receivedAt" bigint)`

export function upsertLate(tx: Transaction, late: readonly LateEvent[]): Promise<void> {
  return writeRows(tx, UPSERT_LATE, late)
}

export function insertMissed(tx: Transaction, missed: readonly MissedWindows[]): Promise<void> {
  return writeRows(tx, INSERT_MISSED, missed)
}

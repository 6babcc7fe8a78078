import type { LateChangeDone, LateOccurrence, RecordOutcome } from '../../contracts/flush'
import { type Transaction, writeRows } from './rows'

const INSERT_OCCURRENCES = `
  INSERT INTO late_occurrence (source, event_id, position, row)
  SELECT source, "eventId", position, "row"
  FROM jsonb_to_recordset($1::jsonb) AS r(source text, "eventId" text, position bigint, "row" int)`

const INSERT_CHANGES = `
  INSERT INTO late_change (by, source, event_id, position, row, change, settles)
  SELECT by, source, "eventId", position, "row", change, settles
  FROM jsonb_to_recordset($1::jsonb) AS r(by bigint, source text, "eventId" text, position bigint, "row" int, change text,
    settles int)`

/** An event that was counted has no row yet; an id that came late again after it was counted has one, of its repeat. */
const UPSERT_VOIDED = `
  INSERT INTO late_event (source, event_id, order_id, user_id, type, amount, currency, event_time, dimensions,
    window_start, window_end, watermark, late_by, received_at, position, row, seen, status)
  SELECT source, "eventId", "orderId", "userId", type, amount, currency, "eventTime", dimensions,
    "windowStart", "windowEnd", watermark, "lateBy", "receivedAt", position, "row", seen, 'voided'
  FROM jsonb_to_recordset($1::jsonb) AS r(source text, "eventId" text, "orderId" text, "userId" text, type text, amount numeric,
    currency text, "eventTime" bigint, dimensions jsonb, "windowStart" bigint, "windowEnd" bigint, watermark bigint,
    "lateBy" bigint, "receivedAt" bigint, position bigint, "row" int, seen int)
  ON CONFLICT (source, event_id) DO UPDATE SET order_id = excluded.order_id, user_id = excluded.user_id,
    type = excluded.type, amount = excluded.amount, currency = excluded.currency, event_time = excluded.event_time,
    dimensions = excluded.dimensions, window_start = excluded.window_start, window_end = excluded.window_end,
    received_at = excluded.received_at, position = excluded.position, row = excluded.row`

/**
 * A repeat of one that was re-injected or voided stays what the event itself is. The changes are those of one command,
 * since the runner flushes before each: no id is named twice.
 */
const UPDATE_STATUS = `
  UPDATE late_event e SET settled = e.settled + c.settles, conflict = e.conflict OR c.conflict,
    status = CASE WHEN c.change = 'duplicate' AND e.status NOT IN ('unverified', 'waiting') THEN e.status ELSE c.change END
  FROM jsonb_to_recordset($1::jsonb) AS c(source text, "eventId" text, change text, settles int, conflict boolean)
  WHERE e.source = c.source AND e.event_id = c."eventId"`

const INSERT_OUTCOMES = `
  INSERT INTO record_outcome (position, uncounted, corrected)
  SELECT position, decode(uncounted, 'base64'), decode(corrected, 'base64')
  FROM jsonb_to_recordset($1::jsonb) AS r(position bigint, uncounted text, corrected text)`

export function insertOccurrences(tx: Transaction, occurrences: readonly LateOccurrence[]): Promise<void> {
  return writeRows(tx, INSERT_OCCURRENCES, occurrences)
}

/** After the late events of the same flush, which may be those that are changed. */
export async function applyLateChanges(tx: Transaction, changes: readonly LateChangeDone[]): Promise<void> {
  await writeRows(tx, INSERT_CHANGES, changes)
  await writeRows(
    tx,
    UPSERT_VOIDED,
    changes.flatMap(({ voided }) => voided ?? []),
  )
  await writeRows(tx, UPDATE_STATUS, changes)
}

export function insertOutcomes(tx: Transaction, outcomes: readonly RecordOutcome[]): Promise<void> {
  const rows = outcomes.map(({ position, uncounted, corrected }) => ({
    position,
    uncounted: base64(uncounted),
    corrected: base64(corrected),
  }))
  return writeRows(tx, INSERT_OUTCOMES, rows)
}

function base64(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

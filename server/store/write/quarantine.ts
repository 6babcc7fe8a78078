import type { QuarantinedEvent } from '../../contracts/flush'
import { type Transaction, writeRows } from './rows'

const INSERT = `
  INSERT INTO quarantine (position, index, source, event_id, code, field, message, raw, cut, received_at)
  SELECT position, index, source, "eventId", code, field, message, raw, cut, "receivedAt"
  FROM json_to_recordset($1::json) AS r(position bigint, index int, source text, "eventId" text, code text, field text,
    message text, raw text, cut boolean, "receivedAt" bigint)`

const CAP = `
  WITH gone AS (
    DELETE FROM quarantine WHERE source = $1::text AND (received_at, position, index) <= (
      SELECT received_at, position, index FROM quarantine WHERE source = $1::text
      ORDER BY received_at DESC, position DESC, index DESC OFFSET $2::int LIMIT 1)
    RETURNING 1)
  UPDATE source_state SET quarantine_written_off = quarantine_written_off + (SELECT count(*) FROM gone)
  WHERE name = $1::text`

/** Keeps what was set aside, at most `most` events a source: the oldest are written off with a counter (design.md §3). */
export async function insertQuarantine(
  tx: Transaction,
  quarantined: readonly QuarantinedEvent[],
  most: number,
): Promise<void> {
  await writeRows(tx, INSERT, quarantined)
  for (const source of new Set(quarantined.map((q) => q.source))) {
    await tx.$executeRawUnsafe(CAP, source, most)
  }
}

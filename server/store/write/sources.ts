import type { SourceSnapshot } from '../../contracts/flush'
import { type Transaction, writeRows } from './rows'

const UPSERT = `
  INSERT INTO source_state AS s (name, declared, state, watermark, max_event_time, last_record_at, strategy, bound, is_test,
    resends_history, would_pause, received, in_time, corrected, late, duplicate, quarantined, conflict, test, overflow)
  SELECT name, declared, state, watermark, "maxEventTime", "lastRecordAt", strategy, bound, "isTest",
    "resendsHistory", "wouldPause", received, "inTime", corrected, late, duplicate, quarantined, conflict, test, overflow
  FROM json_to_recordset($1::json) AS r(name text, declared boolean, state text, watermark bigint, "maxEventTime" bigint,
    "lastRecordAt" bigint, strategy text, bound bigint, "isTest" boolean, "resendsHistory" boolean, "wouldPause" boolean,
    received bigint, "inTime" bigint, corrected bigint, late bigint, duplicate bigint, quarantined bigint, conflict bigint,
    test bigint, overflow bigint)
  ON CONFLICT (name) DO UPDATE SET declared = excluded.declared, state = excluded.state, watermark = excluded.watermark,
    max_event_time = excluded.max_event_time, last_record_at = excluded.last_record_at, strategy = excluded.strategy,
    bound = excluded.bound, is_test = excluded.is_test, resends_history = excluded.resends_history,
    would_pause = excluded.would_pause, received = excluded.received, in_time = excluded.in_time,
    corrected = excluded.corrected, late = excluded.late, duplicate = excluded.duplicate,
    quarantined = excluded.quarantined, conflict = excluded.conflict, test = excluded.test, overflow = excluded.overflow`

export function upsertSources(tx: Transaction, sources: readonly SourceSnapshot[]): Promise<void> {
  return writeRows(tx, UPSERT, sources)
}

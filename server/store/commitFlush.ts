import type { Flush } from '../contracts/flush'
import type { Store } from './client'
import { keyText } from './keyText'

/** Quarantined events kept for each source; the oldest are written off with a counter (design.md §3). */
const MOST_QUARANTINED = 10_000

/** The position in the database is not the one that this flush follows on: another server writes results. */
export class PositionMoved extends Error {
  override readonly name = 'PositionMoved'
}

/**
 * Writes one flush in one transaction: window rows, revisions, late events, quarantine, counters and the position
 * (design.md §1.4). Rejects with PositionMoved when `flush.prev` is not the stored position. A flush whose COMMIT
 * answer was lost may be given again: its own position is then the stored one, and nothing is written twice.
 */
export async function commitFlush(
  { prisma }: Store,
  flush: Flush,
  mostQuarantined = MOST_QUARANTINED,
): Promise<void> {
  await prisma.$transaction(
    async (tx) => {
      const run = (sql: string, rows: readonly unknown[]) =>
        rows.length === 0 ? Promise.resolve(0) : tx.$executeRawUnsafe(sql, JSON.stringify(rows))
      const moved = await tx.$executeRawUnsafe(MOVE_POSITION, ...positionParams(flush))
      if (moved === 0) {
        if (await alreadyWritten(tx, flush)) return
        throw new PositionMoved(
          `results are no longer at position ${flush.prev}: another server writes to this database`,
        )
      }
      await run(UPSERT_ROWS, flush.rows.map(withKey))
      await run(INSERT_REVISIONS, flush.revisions.map(revisionColumns))
      await run(CLOSE_WINDOWS, flush.closed)
      await run(UPSERT_LATE, flush.late)
      await run(INSERT_QUARANTINE, flush.quarantined)
      await run(UPSERT_SOURCES, flush.sources)
      await run(INSERT_SPECS, flush.specs)
      for (const source of new Set(flush.quarantined.map((q) => q.source))) {
        await tx.$executeRawUnsafe(CAP_QUARANTINE, source, mostQuarantined)
      }
    },
    { timeout: 60_000, maxWait: 10_000 },
  )
}

type Transaction = Parameters<Parameters<Store['prisma']['$transaction']>[0]>[0]

async function alreadyWritten(tx: Transaction, flush: Flush): Promise<boolean> {
  if (flush.position === flush.prev) return false
  const rows = await tx.$queryRawUnsafe<{ position: bigint }[]>(
    'SELECT position FROM pipeline_state WHERE id = 1',
  )
  return Number(rows[0]?.position ?? 0) === flush.position
}

function positionParams(flush: Flush): unknown[] {
  return [flush.prev, flush.position, flush.at, flush.watermark, JSON.stringify(flush.counts)].map((v) =>
    typeof v === 'number' ? String(v) : v,
  )
}

const withKey = <T extends { currency: string; dims: readonly (string | null)[] }>(row: T) => ({
  ...row,
  key: keyText(row.currency, row.dims),
})

function revisionColumns(revision: Flush['revisions'][number]): unknown {
  const { before, after, ...rest } = withKey(revision)
  const columns = (prefix: string, m: typeof before) =>
    Object.fromEntries(
      (['gross', 'refunds', 'orders', 'buyers', 'events'] as const).map((name) => [
        `${prefix}_${name}`,
        m?.[name] ?? null,
      ]),
    )
  return { ...rest, ...columns('before', before), ...columns('after', after) }
}

const MOVE_POSITION = `
  INSERT INTO pipeline_state AS s (id, position, at, watermark, received, in_time, corrected, late, duplicate, quarantined, conflict)
  SELECT 1, $2::bigint, $3::bigint, $4::bigint, c."received", c."inTime", c."corrected", c."late", c."duplicate", c."quarantined", c."conflict"
  FROM jsonb_to_record($5::jsonb) AS c("received" bigint, "inTime" bigint, "corrected" bigint, "late" bigint, "duplicate" bigint, "quarantined" bigint, "conflict" bigint)
  WHERE $1::bigint = 0 OR EXISTS (SELECT FROM pipeline_state WHERE id = 1)
  ON CONFLICT (id) DO UPDATE SET
    position = excluded.position, at = excluded.at, watermark = excluded.watermark, received = excluded.received,
    in_time = excluded.in_time, corrected = excluded.corrected, late = excluded.late, duplicate = excluded.duplicate,
    quarantined = excluded.quarantined, conflict = excluded.conflict
  WHERE s.position = $1::bigint`

const UPSERT_ROWS = `
  INSERT INTO window_row (view, version, start_at, end_at, key, currency, dims, status, gross, refunds, orders, buyers, events,
    revision, left_out, fired_at, updated_at, watermark, pos)
  SELECT view, version, start, "end", key, currency, dims, status, gross, refunds, orders, buyers, events,
    revision, "leftOut", "firedAt", "updatedAt", watermark, pos
  FROM jsonb_to_recordset($1::jsonb) AS r(view text, version int, start bigint, "end" bigint, key text, currency text, dims jsonb,
    status text, gross numeric, refunds numeric, orders bigint, buyers bigint, events bigint, revision int, "leftOut" text[],
    "firedAt" bigint, "updatedAt" bigint, watermark bigint, pos bigint)
  ON CONFLICT (view, version, start_at, key) DO UPDATE SET
    status = excluded.status, gross = excluded.gross, refunds = excluded.refunds, orders = excluded.orders,
    buyers = excluded.buyers, events = excluded.events, revision = excluded.revision, left_out = excluded.left_out,
    fired_at = excluded.fired_at, updated_at = excluded.updated_at, watermark = excluded.watermark, pos = excluded.pos`

const INSERT_REVISIONS = `
  INSERT INTO revision (view, version, start_at, end_at, key, currency, dims, revision, kind,
    before_gross, before_refunds, before_orders, before_buyers, before_events,
    after_gross, after_refunds, after_orders, after_buyers, after_events,
    delta_net, event_count, event_ids, late_by, watermark, at, pos)
  SELECT view, version, start, "end", key, currency, dims, revision, kind,
    before_gross, before_refunds, before_orders, before_buyers, before_events,
    after_gross, after_refunds, after_orders, after_buyers, after_events,
    "deltaNet", "eventCount", "eventIds", "lateBy", watermark, at, pos
  FROM jsonb_to_recordset($1::jsonb) AS r(view text, version int, start bigint, "end" bigint, key text, currency text, dims jsonb,
    revision int, kind text, before_gross numeric, before_refunds numeric, before_orders bigint, before_buyers bigint,
    before_events bigint, after_gross numeric, after_refunds numeric, after_orders bigint, after_buyers bigint,
    after_events bigint, "deltaNet" numeric, "eventCount" int, "eventIds" text[], "lateBy" bigint, watermark bigint, at bigint, pos bigint)`

const CLOSE_WINDOWS = `
  UPDATE window_row w SET status = 'closed'
  FROM jsonb_to_recordset($1::jsonb) AS c(view text, version int, start bigint)
  WHERE w.view = c.view AND w.version = c.version AND w.start_at = c.start AND w.status = 'fired'`

const UPSERT_LATE = `
  INSERT INTO late_event (source, event_id, order_id, user_id, type, amount, currency, event_time, dimensions,
    window_start, window_end, watermark, late_by, received_at, position, row, seen)
  SELECT source, "eventId", "orderId", "userId", type, amount, currency, "eventTime", dimensions,
    "windowStart", "windowEnd", watermark, "lateBy", "receivedAt", position, "row", seen
  FROM jsonb_to_recordset($1::jsonb) AS r(source text, "eventId" text, "orderId" text, "userId" text, type text, amount numeric,
    currency text, "eventTime" bigint, dimensions jsonb, "windowStart" bigint, "windowEnd" bigint, watermark bigint,
    "lateBy" bigint, "receivedAt" bigint, position bigint, "row" int, seen int)
  ON CONFLICT (source, event_id) DO UPDATE SET seen = late_event.seen + excluded.seen`

const INSERT_QUARANTINE = `
  INSERT INTO quarantine (position, index, source, event_id, code, field, message, raw, cut, received_at)
  SELECT position, index, source, "eventId", code, field, message, raw, cut, "receivedAt"
  FROM jsonb_to_recordset($1::jsonb) AS r(position bigint, index int, source text, "eventId" text, code text, field text,
    message text, raw text, cut boolean, "receivedAt" bigint)`

const INSERT_SPECS = `
  INSERT INTO spec_version (version, spec, position, at)
  SELECT (spec ->> 'version')::int, spec, position, at
  FROM jsonb_to_recordset($1::jsonb) AS r(spec jsonb, position bigint, at bigint)`

const CAP_QUARANTINE = `
  WITH gone AS (
    DELETE FROM quarantine WHERE source = $1::text AND (received_at, position, index) <= (
      SELECT received_at, position, index FROM quarantine WHERE source = $1::text
      ORDER BY received_at DESC, position DESC, index DESC OFFSET $2::int LIMIT 1)
    RETURNING 1)
  UPDATE source_state SET quarantine_written_off = quarantine_written_off + (SELECT count(*) FROM gone)
  WHERE name = $1::text`

const UPSERT_SOURCES = `
  INSERT INTO source_state AS s (name, declared, state, watermark, max_event_time, last_record_at,
    received, in_time, corrected, late, duplicate, quarantined, conflict)
  SELECT name, declared, state, watermark, "maxEventTime", "lastRecordAt",
    received, "inTime", corrected, late, duplicate, quarantined, conflict
  FROM jsonb_to_recordset($1::jsonb) AS r(name text, declared boolean, state text, watermark bigint, "maxEventTime" bigint,
    "lastRecordAt" bigint, received bigint, "inTime" bigint, corrected bigint, late bigint, duplicate bigint,
    quarantined bigint, conflict bigint)
  ON CONFLICT (name) DO UPDATE SET declared = excluded.declared, state = excluded.state, watermark = excluded.watermark,
    max_event_time = excluded.max_event_time, last_record_at = excluded.last_record_at, received = excluded.received,
    in_time = excluded.in_time, corrected = excluded.corrected, late = excluded.late, duplicate = excluded.duplicate,
    quarantined = excluded.quarantined, conflict = excluded.conflict`

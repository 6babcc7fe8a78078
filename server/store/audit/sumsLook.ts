import type { ViewSpec } from '../../contracts/viewSpec'
import { dayStartMs } from '../../contracts/windowSpec'
import type { Look } from './select'

/** A view as the statement takes it; durations in ms. */
function columnsOf({ id, version, window, time, groupBy }: ViewSpec): Record<string, unknown> | null {
  const common = { id, version, time, groupBy }
  if (window.kind === 'tumbling') return { ...common, size: window.size, offset: window.offset }
  if (window.kind !== 'calendar') return null
  const { unit, zone, dayStart } = window
  return { ...common, unit, zone, dayStart: dayStartMs(dayStart) }
}

const MS = `interval '1 millisecond'`
const instant = (ms: string) => `(timestamptz 'epoch' + ${ms} * ${MS})`
const toMs = (at: string) => `(extract(epoch FROM ${at}) * 1000)::bigint`
/** First instant of a wall-clock time: where clocks are set back over it, the earlier of the two. */
const firstInstant = (local: string, zone: string) => {
  const at = `(${local} AT TIME ZONE ${zone})`
  return `CASE WHEN (${at} - interval '1 hour') AT TIME ZONE ${zone} = ${local} THEN ${at} - interval '1 hour' ELSE ${at} END`
}

/**
 * Gross, refunds and events of every fired row of a tumbling or calendar view, added up anew by this one statement.
 *
 * What it proves without the engine: that each counted order stands in the right window and under the right key, once,
 * with its whole amount; windows are cut by arithmetic and by Postgres's own time zones, sums are NUMERIC. Which events
 * count it decides by itself: the first occurrence of (source, event id) outside of test sources, unless the late store
 * holds that very occurrence and nobody has put it back.
 * So it lists an id that the engine counted twice, because it came again with another time after its first window had
 * closed: ids are kept no longer than that (semantics.md §6), and the producer should have sent a new one.
 * What it takes from others: the columns of a record as the codec reads them (under their checksum); that an event was
 * late, from the late store; which sources were test sources, from the definitions in force; that a key which has no
 * row of its own fell into \`__other__\`; that a window has fired, from its row, or from the pipeline's watermark.
 * What it says nothing of: distinct orders and buyers, sliding, cumulate and session windows, open rows.
 *
 * @param bound windows that begin at or before it may hold events that are no longer in the journal, ms; null: none do
 */
export function sumsLook(
  real: (table: string) => string,
  views: readonly ViewSpec[],
  bound: number | null,
): Look {
  const json = JSON.stringify(views.map(columnsOf).filter((view) => view !== null))
  return {
    look: 'sums',
    table: 'window_row',
    sql: sumsSql(real),
    values: [json, bound === null ? null : String(bound)],
    rows: `SELECT count(*) AS rows FROM ${real('window_row')} w JOIN ${viewsOf()} ON v.id = w.view AND v.version = w.version
      WHERE w.status <> 'open' AND ($2::bigint IS NULL OR w.start_at > $2::bigint)`,
  }
}

function viewsOf(): string {
  return `jsonb_to_recordset($1::jsonb) AS v(id text, version int, time text, "groupBy" jsonb, size bigint, "offset" bigint,
    unit text, zone text, "dayStart" bigint)`
}

function sumsSql(real: (table: string) => string): string {
  const local = `(date_trunc(c.unit, ${instant('c.t')} AT TIME ZONE c.zone - c."dayStart" * ${MS}) + c."dayStart" * ${MS})`
  const next = `(${local} + ('1 ' || c.unit)::interval)`
  const floored = `c.t - mod(mod(c.t - c."offset", c.size) + c.size, c.size)`
  return `
    WITH definition AS (
      SELECT spec, position AS since, lead(position) OVER (ORDER BY position) AS until FROM ${real('spec_version')}
    ), test_source AS (
      SELECT s ->> 'name' AS source, since, until
      FROM definition, jsonb_array_elements(spec -> 'sources') s WHERE (s ->> 'test')::boolean
    ), first AS (
      SELECT DISTINCT ON (source, event_id) e.* FROM audit_event e
      WHERE NOT EXISTS (SELECT FROM test_source t
        WHERE t.source = e.source AND e.position > t.since AND (t.until IS NULL OR e.position < t.until))
      ORDER BY source, event_id, position, row
    ), counted AS (
      SELECT f.* FROM first f LEFT JOIN ${real('late_event')} l
        ON l.source = f.source AND l.event_id = f.event_id AND l.position = f.position AND l.row = f.row
      WHERE l.source IS NULL OR l.status = 'reconciled'
    ), placed AS (
      SELECT v.*, e.type, e.amount, e.currency, e.user_id, e.dimensions,
        CASE v.time WHEN 'journal' THEN e.at ELSE e.event_time END AS t
      FROM counted e CROSS JOIN ${viewsOf()}
    ), assigned AS (
      SELECT c.*, CASE WHEN c.unit IS NULL THEN ${floored} ELSE ${toMs(firstInstant(local, 'c.zone'))} END AS start_at,
        CASE WHEN c.unit IS NULL THEN ${floored} + c.size ELSE ${toMs(firstInstant(next, 'c.zone'))} END AS end_at
      FROM placed c
    ), keyed AS (
      SELECT a.*, (
        SELECT coalesce(jsonb_agg(CASE WHEN x.value ~ '^\\\\*__other__$' THEN '\\' || x.value ELSE x.value END ORDER BY n.nth), '[]')
        FROM jsonb_array_elements_text(a."groupBy") WITH ORDINALITY n(name, nth),
          LATERAL (SELECT CASE n.name WHEN 'userId' THEN a.user_id ELSE a.dimensions ->> n.name END AS value) x
      ) AS dims
      FROM assigned a
    ), own AS (
      SELECT k.*, CASE WHEN w.view IS NULL AND o.view IS NOT NULL THEN o.dims ELSE k.dims END AS row_dims
      FROM keyed k
      LEFT JOIN ${real('window_row')} w ON w.view = k.id AND w.version = k.version AND w.window_id = k.start_at
        AND w.currency = k.currency AND w.dims = k.dims
      LEFT JOIN ${real('window_row')} o ON o.view = k.id AND o.version = k.version AND o.window_id = k.start_at
        AND o.currency = k.currency AND o.dims ->> 0 = '__other__'
    ), sums AS (
      SELECT id AS view, version, start_at, end_at, currency, row_dims AS dims, time,
        coalesce(sum(amount) FILTER (WHERE type = 'order'), 0)::numeric(38,4) AS gross,
        coalesce(sum(amount) FILTER (WHERE type = 'refund'), 0)::numeric(38,4) AS refunds, count(*) AS events
      FROM own GROUP BY 1, 2, 3, 4, 5, 6, 7
    ), rows AS (
      SELECT w.* FROM ${real('window_row')} w JOIN ${viewsOf()} ON v.id = w.view AND v.version = w.version
    )
    SELECT jsonb_build_object('view', coalesce(w.view, s.view), 'version', coalesce(w.version, s.version),
        'window_id', coalesce(w.window_id, s.start_at), 'currency', coalesce(w.currency, s.currency),
        'dims', coalesce(w.dims, s.dims)) AS key,
      CASE WHEN w.view IS NOT NULL THEN jsonb_build_object('end_at', w.end_at, 'gross', w.gross::text,
        'refunds', w.refunds::text, 'events', w.events) END AS stored,
      CASE WHEN s.view IS NOT NULL THEN jsonb_build_object('end_at', s.end_at, 'gross', s.gross::text,
        'refunds', s.refunds::text, 'events', s.events) END AS expected
    FROM rows w FULL JOIN sums s ON s.view = w.view AND s.version = w.version AND s.start_at = w.window_id
      AND s.currency = w.currency AND s.dims = w.dims
    CROSS JOIN ${real('pipeline_state')} p
    WHERE (w.end_at, w.gross, w.refunds, w.events) IS DISTINCT FROM (s.end_at, s.gross, s.refunds, s.events)
      AND ($2::bigint IS NULL OR coalesce(w.start_at, s.start_at) > $2::bigint)
      AND CASE WHEN w.view IS NOT NULL THEN w.status <> 'open'
        ELSE s.end_at - 1 <= CASE s.time WHEN 'journal' THEN p.at - 1 ELSE p.watermark END END`
}

import type { Look } from './select'
import { objectOf } from './select'

interface Compared {
  readonly table: string
  readonly key: readonly string[]
  readonly values: readonly string[]
  /** Column that holds a row's journal position. */
  readonly position: string
}

const ROW_KEY = ['view', 'version', 'window_id', 'key'] as const
const SPAN = ['start_at', 'end_at', 'currency', 'dims'] as const
const MEASURES = ['gross', 'refunds', 'orders', 'buyers', 'events'] as const
/** Everything but when the row was written (`pos`, `updated_at`, `watermark`), which hangs on how flushes were cut. */
const ROW_VALUES = [
  ...SPAN,
  ...MEASURES,
  ...['status', 'revision', 'by_inactivity', 'left_out', 'fired_at', 'sketch_orders', 'sketch_buyers'],
]

const APPENDED: readonly Compared[] = [
  {
    table: 'revision',
    key: [...ROW_KEY, 'revision'],
    values: [
      ...SPAN,
      'kind',
      ...MEASURES.map((name) => `before_${name}`),
      ...MEASURES.map((name) => `after_${name}`),
      ...['delta_net', 'event_count', 'event_ids', 'late_by', 'watermark', 'at', 'pos'],
    ],
    position: 'pos',
  },
  {
    // Without `status`, which is what a person decided about it.
    table: 'late_event',
    key: ['source', 'event_id'],
    values: [
      ...['order_id', 'user_id', 'type', 'amount', 'currency', 'event_time', 'dimensions', 'window_start'],
      ...['window_end', 'watermark', 'late_by', 'received_at', 'position', 'row', 'seen'],
    ],
    position: 'position',
  },
  {
    table: 'missed_window',
    key: ['position', 'row', 'view'],
    values: [
      ...[
        'source',
        'event_id',
        'event_time',
        'windows',
        'first_start',
        'last_end',
        'watermark',
        'received_at',
      ],
    ],
    position: 'position',
  },
  { table: 'notice', key: ['position', 'index'], values: ['kind', 'subject', 'at'], position: 'position' },
  {
    table: 'command_log',
    key: ['position'],
    values: [
      'at',
      'kind',
      'command',
      'by',
      'reason',
      'refused',
      'changes',
      'watermark_before',
      'watermark_after',
    ],
    position: 'position',
  },
  { table: 'spec_version', key: ['version'], values: ['spec', 'position', 'at'], position: 'position' },
]

const SOURCE_VALUES = [
  ...['declared', 'state', 'watermark', 'max_event_time', 'last_record_at', 'strategy', 'bound', 'is_test'],
  ...[
    'resends_history',
    'would_pause',
    'received',
    'in_time',
    'corrected',
    'late',
    'duplicate',
    'quarantined',
  ],
  ...['conflict', 'test', 'overflow'],
]

type Real = (table: string) => string

/** What the fold of the journal behind position `from` says against what is stored, table by table. */
export function foldLooks(real: Real, from: number): Look[] {
  return [
    publishedRows(real, from),
    openRows(real),
    rowMoments(real, from),
    ...APPENDED.map((compared) => appended(compared, real, from)),
    sources(real),
  ]
}

/** A full join of two selections of the same columns, less what is the same on both sides. */
function joined(key: readonly string[], values: readonly string[], stored: string, folded: string): string {
  const side = (from: string) => `SELECT ${objectOf(key)} AS k, ${objectOf(values)} AS v FROM ${from}`
  return `SELECT coalesce(s.k, f.k) AS key, s.v AS stored, f.v AS expected
    FROM (${side(stored)}) s FULL JOIN (${side(folded)}) f ON s.k = f.k WHERE s.v IS DISTINCT FROM f.v`
}

/** Of windows that have fired. */
function publishedRows(real: Real, from: number): Look {
  const stored = `${real('window_row')} t WHERE t.status <> 'open' AND ${foldedRow(real)}`
  const sql = joined(ROW_KEY, ROW_VALUES, stored, `pg_temp.window_row t WHERE t.status <> 'open'`)
  return { look: 'fold', table: 'window_row', sql, values: [String(from)], rows: countOf(stored) }
}

/**
 * Whether a window_row named t can be looked at, as SQL: the fold made it, or should have. One that was published for
 * the last time at or before position $1, where the fold begins, and whose window had closed by then, is in no state.
 * The position of its last revision decides, since a row's own is that of the flush, which comes later.
 */
export function foldedRow(real: Real): string {
  const same = (r: string) =>
    `(${r}.view, ${r}.version, ${r}.window_id, ${r}.key) = (t.view, t.version, t.window_id, t.key)`
  return `CASE WHEN $1::bigint = 0 OR EXISTS (SELECT FROM pg_temp.window_row f WHERE ${same('f')}) THEN true
    ELSE coalesce((SELECT max(r.pos) FROM ${real('revision')} r WHERE ${same('r')}), t.pos) > $1::bigint END`
}

/** Running totals may be a second old: each against what the fold had at the row's own position. */
function openRows(real: Real): Look {
  const stored = `${real('window_row')} t WHERE t.status = 'open'`
  const side = (t: string) => objectOf(ROW_VALUES, t)
  const sql = `SELECT ${objectOf(ROW_KEY)} AS key, ${side('t')} AS stored,
      CASE WHEN o.view IS NULL THEN NULL ELSE ${side('o')} END AS expected
    FROM ${real('window_row')} t LEFT JOIN open_total o USING (view, version, window_id, key)
    LEFT JOIN pg_temp.window_row f USING (view, version, window_id, key)
    WHERE t.status = 'open' AND coalesce(f.status, 'open') = 'open'
      AND ${side('t')} IS DISTINCT FROM CASE WHEN o.view IS NULL THEN NULL ELSE ${side('o')} END`
  return { look: 'fold', table: 'window_row, open', sql, values: [], rows: countOf(stored) }
}

/** When a row says that it was written, the journal must have had that time and that watermark. */
function rowMoments(real: Real, from: number): Look {
  const columns = ['updated_at', 'watermark']
  const sql = `SELECT ${objectOf([...ROW_KEY, 'pos'])} AS key, ${objectOf(columns)} AS stored,
      jsonb_build_object('updated_at', p.at, 'watermark', p.watermark) AS expected
    FROM ${real('window_row')} t JOIN audit_position p ON p.position = t.pos
    WHERE t.pos > $1::bigint AND (t.updated_at, t.watermark) IS DISTINCT FROM (p.at, p.watermark)
    UNION ALL
    SELECT ${objectOf(ROW_KEY)}, ${objectOf(['pos'])}, jsonb_build_object('pos', s.position)
    FROM ${real('window_row')} t JOIN ${real('pipeline_state')} s ON t.pos > s.position`
  const rows = countOf(`${real('window_row')} t WHERE t.pos > $1::bigint`)
  return { look: 'fold', table: 'window_row, times', sql, values: [String(from)], rows }
}

function appended({ table, key, values, position }: Compared, real: Real, from: number): Look {
  const stored = `${real(table)} t WHERE t."${position}" > $1::bigint`
  // An id that came late before the fold begins is stored under that position; its repeats add to that row.
  const folded =
    table === 'late_event'
      ? `pg_temp.late_event t WHERE NOT EXISTS (SELECT FROM ${real(table)} r
          WHERE r.source = t.source AND r.event_id = t.event_id AND r.position <= $1::bigint)`
      : `pg_temp.${table} t WHERE t."${position}" > $1::bigint`
  const sql = joined(key, values, stored, folded)
  return { look: 'fold', table, sql, values: [String(from)], rows: countOf(stored) }
}

function sources(real: Real): Look {
  const sql = joined(['name'], SOURCE_VALUES, `${real('source_state')} t`, 'pg_temp.source_state t')
  return { look: 'fold', table: 'source_state', sql, values: [], rows: countOf(`${real('source_state')} t`) }
}

function countOf(from: string): string {
  return `SELECT count(*) AS rows FROM ${from}`
}

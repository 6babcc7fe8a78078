import type { Look } from './select'

const ROW_KEY = ['view', 'version', 'window_id', 'key']
const MEASURES = ['gross', 'refunds', 'orders', 'buyers', 'events']

const texts = (prefix: string) =>
  `jsonb_build_array(${MEASURES.map((name) => `${prefix}${name}::text`).join(', ')})`

/**
 * The chain of revisions, by itself and without the journal: numbers follow one another, each begins with what the one
 * before it ended with, and the last one ends with what the row shows. The first one that is kept may have any number
 * where the journal is trimmed (`from` above 0), since revisions are kept for a time only.
 */
export function chainLook(real: (table: string) => string, from: number): Look {
  const key = `jsonb_build_object(${[...ROW_KEY, 'revision'].map((name) => `'${name}', ${name}`).join(', ')})`
  const partition = `PARTITION BY ${ROW_KEY.join(', ')} ORDER BY revision`
  const chain = `SELECT ${ROW_KEY.join(', ')}, revision, lag(revision) OVER w AS prev,
      ${texts('before_')} AS before, ${texts('after_')} AS after, num_nulls(before_gross) = 1 AS fresh,
      lag(${texts('after_')}) OVER w AS ended, row_number() OVER (${partition} DESC) = 1 AS last
    FROM ${real('revision')} WINDOW w AS (${partition})`
  const sql = `WITH chain AS (${chain})
    SELECT ${key} AS key, jsonb_build_object('revision', revision) AS stored,
      jsonb_build_object('revision', coalesce(prev, 0) + 1) AS expected
    FROM chain WHERE CASE WHEN prev IS NULL THEN revision <> 1 AND $1::bigint = 0 ELSE revision <> prev + 1 END
    UNION ALL
    SELECT ${key}, jsonb_build_object('before', before), jsonb_build_object('before', ended)
    FROM chain WHERE prev = revision - 1 AND before <> ended
    UNION ALL
    SELECT ${key}, jsonb_build_object('before', before), jsonb_build_object('before', NULL)
    FROM chain WHERE prev IS NULL AND revision = 1 AND NOT fresh
    UNION ALL
    SELECT jsonb_build_object(${ROW_KEY.map((name) => `'${name}', w.${name}`).join(', ')}),
      jsonb_build_object('revision', c.revision, 'after', c.after),
      jsonb_build_object('revision', w.revision, 'after', ${texts('w.')})
    FROM ${real('window_row')} w LEFT JOIN chain c
      ON (c.view, c.version, c.window_id, c.key) = (w.view, w.version, w.window_id, w.key) AND c.last
    WHERE w.status <> 'open' AND (c.revision, c.after) IS DISTINCT FROM (w.revision, ${texts('w.')})
      AND (c.view IS NOT NULL OR w.pos > $1::bigint)`
  const rows = `SELECT count(*) AS rows FROM ${real('revision')} WHERE $1::bigint >= 0`
  return { look: 'chain', table: 'revision', sql, values: [String(from)], rows }
}

import { trim } from './trim'

/**
 * Rows of windows that ended, and were last changed, before `keepFrom`; never of one that can still change. View by
 * view, because the index on start_at begins with the view; a row that a back-fill has just written for a window of
 * long ago stays.
 */
export const trimWindowRows = trim(`
  WITH RECURSIVE views AS (
    (SELECT view, version FROM window_row ORDER BY view, version LIMIT 1)
    UNION ALL
    SELECT n.view, n.version FROM views v, LATERAL (
      SELECT view, version FROM window_row WHERE (view, version) > (v.view, v.version)
      ORDER BY view, version LIMIT 1) n),
  old AS (
    SELECT o.* FROM views v, LATERAL (
      SELECT view, version, window_id, key FROM window_row
      WHERE view = v.view AND version = v.version AND start_at < $1::bigint AND end_at <= $1::bigint
        AND updated_at < $1::bigint AND status IN ('closed', 'superseded')
      ORDER BY start_at LIMIT $2::int) o
    LIMIT $2::int),
  gone AS (
    DELETE FROM window_row w USING old o
    WHERE (w.view, w.version, w.window_id, w.key) = (o.view, o.version, o.window_id, o.key)
    RETURNING 1)
  SELECT count(*) AS removed, 0::bigint AS written_off FROM gone`)

import { trim } from './trim'

/** Revisions before `keepFrom`, view by view, because the index on their time begins with the view. */
export const trimRevisions = trim(`
  WITH RECURSIVE views AS (
    (SELECT view FROM revision ORDER BY view LIMIT 1)
    UNION ALL
    SELECT n.view FROM views v, LATERAL (
      SELECT view FROM revision WHERE view > v.view ORDER BY view LIMIT 1) n),
  old AS (
    SELECT o.* FROM views v, LATERAL (
      SELECT view, version, window_id, key, revision FROM revision
      WHERE view = v.view AND at < $1::bigint ORDER BY at LIMIT $2::int) o
    LIMIT $2::int),
  gone AS (
    DELETE FROM revision r USING old o
    WHERE (r.view, r.version, r.window_id, r.key, r.revision) = (o.view, o.version, o.window_id, o.key, o.revision)
    RETURNING 1)
  SELECT count(*) AS removed, 0::bigint AS written_off FROM gone`)

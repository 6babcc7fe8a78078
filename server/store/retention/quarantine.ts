import { trim } from './trim'

/** Quarantined events; those that still waited for a fix are written off, and counted as that. */
export const trimQuarantine = trim(`
  WITH old AS (
    SELECT position, "index" FROM quarantine WHERE received_at < $1::bigint ORDER BY position, "index" LIMIT $2::int),
  gone AS (
    DELETE FROM quarantine q USING old o WHERE (q.position, q."index") = (o.position, o."index") RETURNING q.status)
  SELECT count(*) AS removed, count(*) FILTER (WHERE status = 'waiting') AS written_off FROM gone`)

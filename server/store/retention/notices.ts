import { trim } from './trim'

/** Notices. Their time goes up with their position: where the oldest one stays, all do. */
export const trimNotices = trim(`
  WITH oldest AS (SELECT position, "index", at FROM notice ORDER BY position, "index" LIMIT $2::int),
  gone AS (
    DELETE FROM notice n USING oldest o
    WHERE (n.position, n."index") = (o.position, o."index") AND o.at < $1::bigint
    RETURNING 1)
  SELECT count(*) AS removed, 0::bigint AS written_off FROM gone`)

import { trim } from './trim'

/** Windows that were closed to an event which counted in others. */
export const trimMissedWindows = trim(`
  WITH old AS (
    SELECT position, "row", view FROM missed_window WHERE received_at < $1::bigint ORDER BY received_at LIMIT $2::int),
  gone AS (
    DELETE FROM missed_window m USING old o
    WHERE (m.position, m."row", m.view) = (o.position, o."row", o.view)
    RETURNING 1)
  SELECT count(*) AS removed, 0::bigint AS written_off FROM gone`)

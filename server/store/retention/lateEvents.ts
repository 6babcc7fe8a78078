import { trim } from './trim'

/** Late events that wait for nobody any more. One that waits stays, until the journal does not hold it. */
export const trimLateEvents = trim(`
  WITH old AS (
    SELECT source, event_id FROM late_event WHERE status <> 'waiting' AND received_at < $1::bigint LIMIT $2::int),
  gone AS (
    DELETE FROM late_event l USING old o WHERE (l.source, l.event_id) = (o.source, o.event_id) RETURNING 1)
  SELECT count(*) AS removed, 0::bigint AS written_off FROM gone`)

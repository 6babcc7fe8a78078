import { trim } from './trim'

/**
 * Journal records go when nobody can need them: they are older than re-injection is offered, and below the oldest
 * snapshot that is kept, so that a start from any of them finds the whole tail (semantics.md §7). Without a snapshot
 * none goes. Late events that waited to be put back from such a record are written off in the same transaction: an
 * offer that cannot be kept must not stand.
 */
export const trimJournal = trim(`
  WITH least_needed AS (
    SELECT least((SELECT min(position) FROM snapshot), s.position) AS position
    FROM pipeline_state s WHERE s.id = 1 AND EXISTS (SELECT FROM snapshot)),
  oldest AS (SELECT position, at FROM journal ORDER BY position LIMIT $2::int),
  gone AS (
    DELETE FROM journal j USING oldest o, least_needed l
    WHERE j.position = o.position AND o.position < l.position AND o.at < $1::bigint
    RETURNING j.position, j.at),
  off AS (
    UPDATE late_event SET status = 'written_off'
    WHERE status = 'waiting' AND received_at <= (SELECT max(at) FROM gone) AND position IN (SELECT position FROM gone)
    RETURNING 1)
  SELECT (SELECT count(*) FROM gone) AS removed, (SELECT count(*) FROM off) AS written_off`)

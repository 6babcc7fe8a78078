import { trim } from './trim'

/** The log of commands. Its time goes up with its position: where the oldest one stays, all do. */
export const trimCommands = trim(`
  WITH oldest AS (SELECT position, at FROM command_log ORDER BY position LIMIT $2::int),
  gone AS (
    DELETE FROM command_log c USING oldest o WHERE c.position = o.position AND o.at < $1::bigint RETURNING 1)
  SELECT count(*) AS removed, 0::bigint AS written_off FROM gone`)

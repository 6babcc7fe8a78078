import { DEFAULT_KEEP, type Keep } from '../../contracts/retention'
import type { Env } from '../../platform/env'

type Settings = Pick<
  Env,
  'TIDEMARK_KEEP_JOURNAL' | 'TIDEMARK_KEEP_ROWS' | 'TIDEMARK_KEEP_REVISIONS' | 'TIDEMARK_KEEP_LATE'
>

/**
 * How long to keep what. Settings of the environment, not of the pipeline's definition: no result depends on them, so
 * a change of them is no record of the journal.
 */
export function keepOf(env: Settings): Keep {
  return {
    journal: env.TIDEMARK_KEEP_JOURNAL ?? DEFAULT_KEEP.journal,
    rows: env.TIDEMARK_KEEP_ROWS ?? DEFAULT_KEEP.rows,
    revisions: env.TIDEMARK_KEEP_REVISIONS ?? DEFAULT_KEEP.revisions,
    late: env.TIDEMARK_KEEP_LATE ?? DEFAULT_KEEP.late,
  }
}

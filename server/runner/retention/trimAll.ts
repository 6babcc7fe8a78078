import type { Keep, Trimmed, TrimmedTable } from '../../contracts/retention'
import type { Store } from '../../store/client'
import { readJournalTime } from '../../store/readJournalTime'
import { noteTrimmed } from '../../store/retention/noteTrimmed'
import { TRIM_JOBS, type TrimJob } from './jobs'

export interface TrimDeps {
  readonly store: Store
  readonly keep: Keep
  /** Wall clock, ms. */
  readonly now: () => number
  /** Waits between two statements, ms: ingest has the database to itself meanwhile. */
  readonly pause: (ms: number) => Promise<void>
  /** Asked before each statement; false ends the trim. */
  readonly goesOn: () => boolean
  readonly jobs?: readonly TrimJob[]
}

/** A statement is followed by a pause of this many times its own duration, and of this much at least, ms. */
const REST = 4
const LEAST_PAUSE = 50

/**
 * Trims every table once, batch by batch. Age is by journal time, so a server that was away for a month does not come
 * back and throw away what nobody had a chance to look at; and never past the wall clock, which journal time may be
 * ahead of for a while (semantics.md §1). Rejects where the database does not answer; what was trimmed is trimmed.
 */
export async function trimAll(deps: TrimDeps): Promise<ReadonlyMap<TrimmedTable, Trimmed>> {
  const at = await readJournalTime(deps.store)
  const done = new Map<TrimmedTable, Trimmed>()
  if (at === null) return done
  const until = Math.min(at, deps.now())
  for (const job of deps.jobs ?? TRIM_JOBS) {
    const keepFrom = until - deps.keep[job.keep]
    const trimmed = await trimTable(deps, job, keepFrom)
    if (trimmed.removed > 0) done.set(job.table, trimmed)
  }
  return done
}

async function trimTable(
  deps: TrimDeps,
  { table, trim, batch }: TrimJob,
  keepFrom: number,
): Promise<Trimmed> {
  const total = { removed: 0, writtenOff: 0 }
  while (deps.goesOn()) {
    const began = performance.now()
    const trimmed = await trim(deps.store, keepFrom, batch)
    if (trimmed.removed === 0) break
    await noteTrimmed(deps.store, table, keepFrom, trimmed)
    total.removed += trimmed.removed
    total.writtenOff += trimmed.writtenOff
    await deps.pause(Math.max(LEAST_PAUSE, (performance.now() - began) * REST))
  }
  return total
}

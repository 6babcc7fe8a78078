import type { PipelineStatus, SourceStatus } from '../../contracts/status'

/** How long something that should move may stand, ms. A flush takes a tenth of that under full load. */
export const STANDSTILL_AFTER = 5_000

/** Something that should move and does not. */
export interface Standstill {
  readonly code: 'database_unheard' | 'results_stand_still' | 'watermark_stands_still'
  /** For how long, ms. */
  readonly ms: number
  readonly says: string
}

/** For how long a value has been the same while it should have moved. */
class Unmoved {
  #due = false
  #value: number | null = null
  #since = 0

  /** ms; 0 while nothing is expected of it. */
  look(due: boolean, value: number | null, now: number): number {
    if (!due || !this.#due || value !== this.#value) this.#since = now
    this.#due = due
    this.#value = value
    return now - this.#since
  }
}

/**
 * Watches whether the pipeline makes progress (field case 49): health is that results are written, not that a port
 * answers. It is told of each look, and compares it with the one before; its clock is monotonic, since a wall clock
 * that is set would look like a standstill, or hide one.
 */
export class StandstillWatch {
  readonly #heard = new Unmoved()
  readonly #results = new Unmoved()
  readonly #watermark = new Unmoved()

  constructor(private readonly after = STANDSTILL_AFTER) {}

  /** What stands still as of `now`, monotonic ms. Call it at least each second. */
  look(status: PipelineStatus, now: number): Standstill[] {
    const { journaled, committed, watermark, databaseAt, sources } = status
    const looks: readonly Standstill[] = [
      {
        code: 'database_unheard',
        ms: this.#heard.look(true, databaseAt, now),
        says: 'The database has answered neither a write of results nor a question. See its locks (pg_stat_activity) and its load.',
      },
      {
        code: 'results_stand_still',
        ms: this.#results.look(journaled > committed, committed, now),
        says: 'The journal holds records whose results are not committed, and their number does not fall. See the log, and the locks of the database (pg_stat_activity).',
      },
      {
        code: 'watermark_stands_still',
        ms: this.#watermark.look(isDue(sources, watermark), watermark, now),
        says: 'Every source has reported newer events, and the watermark does not follow. That is a fault of Tidemark: restart it, and report it with the log.',
      },
    ]
    return looks.filter(({ ms }) => ms >= this.after)
  }
}

/** The pipeline's watermark is the minimum over the sources that count (semantics.md §3): is it past the published one? */
function isDue(sources: readonly SourceStatus[], published: number | null): boolean {
  const counting = sources.filter(({ state, isTest }) => !isTest && (state === 'active' || state === 'never'))
  const own = counting.map(({ watermark }) => watermark ?? Number.NEGATIVE_INFINITY)
  if (own.length === 0) return false
  return Math.min(...own) > (published ?? Number.NEGATIVE_INFINITY)
}

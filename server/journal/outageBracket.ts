import type { JournalEntry } from '../contracts/journalRecord'

type Bracket = Extract<JournalEntry, { kind: 'paused' | 'resumed' }>

/**
 * Brackets an outage of the database in the journal itself (semantics.md §3: timers of active sources do not run
 * while the server refuses), so that the first producer to come back does not turn all others idle.
 *
 * *Writing* → `failed`: an attempt to write failed → *interrupted* → `recovered`: what was being tried is durable →
 * *ending* → the first group of entries that came after the last failed attempt is led by `resumed` → *writing*. Where
 * entries had come before that, and so carry times out of the outage, they make groups of their own in between, led by
 * `paused`: a `resumed` in front of them would end the bracket as early as they came, which under load is milliseconds
 * after the outage began, and one behind them alone would find the sources idle already.
 *
 * The bracket begins at the journal time of the last entry that is durable by then. What was being tried when the
 * outage began is among those, so that is the later of the last entry before the outage and the first that ran into
 * it: up to there the server took what came, and whoever was silent was silent of his own accord. The earlier of the
 * two would give each source time that nobody withheld.
 *
 * Any failed attempt counts, not only one that was given up: keys are looked up in the same database, so while an
 * append was being tried again, producers were refused before they came to the journal.
 */
export class OutageBracket {
  #failed = false
  /** Journal time at which the outage began, ms; null while there is none to bracket. */
  #pausedAt: number | null = null
  /** Our own `paused` leads a group already. */
  #opened = false
  /** Entries that had come when an attempt failed last, and are still to be written. */
  #waited = 0
  /** Journal time of the last entry that was handed to a group, ms; a group is durable before the next is made. */
  #lastAt: number | null
  /** A `paused` of somebody else's is in force: timers stand still anyway, and its own `resumed` will end that. */
  #othersPaused = false

  constructor(lastAt: number | null) {
    this.#lastAt = lastAt
  }

  /** The database did not take a group, while `waiting` entries wait for the next one. */
  failed(waiting: number): void {
    this.#failed = true
    this.#waited = waiting
  }

  /** A group became durable. */
  recovered(): void {
    if (!this.#failed) return
    this.#failed = false
    this.#pausedAt ??= this.#lastAt
  }

  /** So many entries the next group may take: those out of an outage stay by themselves. */
  get most(): number {
    return this.#waited > 0 ? this.#waited : Number.POSITIVE_INFINITY
  }

  /** What must stand in front of a new group, in the same INSERT; null: nothing. */
  lead(entries: readonly JournalEntry[]): Bracket | null {
    const lead = this.#leadOf(entries)
    if (this.#waited === 0) this.#pausedAt = null
    this.#opened = lead?.kind === 'paused' || (this.#opened && this.#waited > 0)
    this.#waited = Math.max(0, this.#waited - entries.length)
    for (const { kind, at } of entries) {
      this.#lastAt = at
      if (kind === 'paused' || kind === 'resumed') this.#othersPaused = kind === 'paused'
    }
    return lead
  }

  #leadOf([first]: readonly JournalEntry[]): Bracket | null {
    const pausedAt = this.#pausedAt
    if (!first || pausedAt === null || this.#othersPaused) return null
    if (this.#waited === 0) return { kind: 'resumed', at: first.at, pausedAt }
    return this.#opened ? null : { kind: 'paused', at: pausedAt }
  }
}

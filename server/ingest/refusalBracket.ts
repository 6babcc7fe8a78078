import type { JournalEntry } from '../contracts/journalRecord'
import type { Journal, JournalClock } from '../journal/port'

/** How often it is looked whether there is room again, while nobody asks, ms. */
const LOOK_EVERY = 1_000

export interface RefusalBracketDeps {
  readonly journal: Pick<Journal, 'append'>
  readonly journalClock: JournalClock
  /** ms; another rhythm for tests. */
  readonly lookEvery?: number
}

/**
 * Writes `paused` and `resumed` around a time in which every source is refused, so that the timers of active ones
 * stand still in it (semantics.md §3): one record for each transition, however many requests there are.
 *
 * *Taking* → `refuse`: `paused` is appended → *refusing* → `take`: `resumed` is appended, ahead of what is taken →
 * *taking*. Where nobody sends any more, a look each second finds the room: else timers would stand still for good,
 * and a source that left would hold the watermark. A record that the journal did not take is owed, and written
 * again at the next look; should both have been kept after all, the engine reads the second as none.
 */
export class RefusalBracket {
  readonly #deps: RefusalBracketDeps
  #refusing = false
  /** Journal time at which the refusing began, ms. */
  #since = 0
  /** What became of the last record. */
  #last: 'inFlight' | 'written' | 'owed' = 'written'
  #appends = 0
  #isFull: () => boolean = () => false
  #timer: NodeJS.Timeout | null = null

  constructor(deps: RefusalBracketDeps) {
    this.#deps = deps
  }

  /** A request is refused. `isFull` is asked later, whether the next one would be. Never throws. */
  refuse(isFull: () => boolean): void {
    this.#isFull = isFull
    if (this.#refusing) return
    this.#refusing = true
    this.#since = this.#deps.journalClock()
    this.#append({ kind: 'paused', at: this.#since })
  }

  /** A request will be taken: called before that one is appended. Never throws. */
  take(): void {
    if (!this.#refusing) return
    this.#refusing = false
    this.#append(this.#resumed())
  }

  #resumed(): JournalEntry {
    return { kind: 'resumed', at: this.#deps.journalClock(), pausedAt: this.#since }
  }

  #append(entry: JournalEntry): void {
    const turn = ++this.#appends
    const settle = (last: 'written' | 'owed') => {
      // A transition that came meanwhile has a record of its own.
      if (turn === this.#appends) this.#last = last
    }
    this.#last = 'inFlight'
    this.#deps.journal.append(entry).then(
      () => settle('written'),
      () => settle('owed'),
    )
    // Not kept alive for this: a process that ends is followed by a start, which writes `resumed`.
    this.#timer ??= setInterval(() => this.#look(), this.#deps.lookEvery ?? LOOK_EVERY).unref()
  }

  #look(): void {
    if (this.#refusing && !this.#isFull()) this.take()
    else if (this.#last === 'owed') {
      this.#append(this.#refusing ? { kind: 'paused', at: this.#deps.journalClock() } : this.#resumed())
    } else if (!this.#refusing && this.#last === 'written') this.#stopLooking()
  }

  #stopLooking(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }
}

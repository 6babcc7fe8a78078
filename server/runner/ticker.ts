import type { Journal, JournalClock } from '../journal/port'
import type { Logger } from '../platform/logger'

/** How often a tick is written while nobody sends, ms (semantics.md §3). */
const TICK_EVERY = 1_000

export interface TickerDeps {
  readonly journal: Journal
  readonly journalClock: JournalClock
  /** Time alone can still change something. */
  readonly timeMatters: () => boolean
  readonly logger: Logger
}

/** Writes a tick each second without traffic, while something could still change. Returns how to stop. */
export function startTicker({ journal, journalClock, timeMatters, logger }: TickerDeps): () => void {
  let appended = false
  let inFlight = false
  const unsubscribe = journal.onAppended(() => {
    appended = true
  })
  const timer = setInterval(() => {
    const quiet = !appended
    appended = false
    if (!quiet || inFlight || !timeMatters()) return
    inFlight = true
    journal
      .append({ kind: 'tick', at: journalClock() })
      .catch((error: unknown) => logger.warn({ err: error }, 'no tick: the journal takes nothing'))
      .finally(() => {
        inFlight = false
      })
  }, TICK_EVERY)
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}

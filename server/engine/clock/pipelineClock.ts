import { type Instant, MAX_INSTANT, MIN_INSTANT } from '../../contracts/instant'
import { idleAfter, newSourceClock, observe, type SourceClock, type SourceSettings } from './sourceClock'

/**
 * The watermark of the pipeline (semantics.md §3): the minimum over active sources, or the maximum over all of
 * them when every one is idle; published only when it rises.
 *
 * A source is *active* from its declaration or first accepted event; it turns *idle* when its timer has run out at
 * some journal time (`passTime`), and active again when it speaks (`speak`). `passTime` is called with the journal
 * time of every record and event before anything else, so that flags never depend on when somebody looked.
 */
export class PipelineClock {
  readonly sources = new Map<string, SourceClock>()
  watermark: Instant = MIN_INSTANT
  #ended = false
  /** No active source can have turned idle at or before this instant; spares a scan for each event. */
  #quietUntil: Instant = MAX_INSTANT

  /** Adds a source whose timer starts at `at`. It holds the watermark from now on. */
  add(name: string, declared: boolean, settings: SourceSettings, at: number): SourceClock {
    const source = newSourceClock(name, declared, settings, at)
    this.sources.set(name, source)
    this.#quietUntil = Math.min(this.#quietUntil, idleAfter(source))
    return source
  }

  /** Sets idle flags as of journal time `at`. True when the watermark rose. */
  passTime(at: number): boolean {
    if (at <= this.#quietUntil) return false
    let changed = false
    let quietUntil: Instant = MAX_INSTANT
    for (const source of this.sources.values()) {
      if (source.idle) continue
      const limit = idleAfter(source)
      if (at > limit) {
        source.idle = true
        changed = true
      } else if (limit < quietUntil) quietUntil = limit
    }
    this.#quietUntil = quietUntil
    return changed && this.#publish()
  }

  /** An accepted event or a duplicate came: the timer starts again and the source is active. */
  speak(source: SourceClock, at: number): void {
    source.lastRecordAt = at
    source.timerStart = at
    source.idle = false
    const limit = idleAfter(source)
    if (limit < this.#quietUntil) this.#quietUntil = limit
  }

  /** Takes in the event time of an accepted event. True when the pipeline's watermark rose. */
  observe(source: SourceClock, eventTime: number): boolean {
    const before = source.watermark
    observe(source, eventTime)
    // Only a source that stood at or below the published watermark can have been what held it.
    if (source.watermark === before || source.watermark <= this.watermark) return false
    return this.#publish()
  }

  /** The server was away since `pausedAt`: timers of active sources did not run (semantics.md §3). */
  resume(pausedAt: number, at: number): boolean {
    const rose = this.passTime(pausedAt)
    for (const source of this.sources.values()) {
      if (!source.idle) source.timerStart += Math.max(0, at - Math.max(pausedAt, source.timerStart))
    }
    this.#quietUntil = MIN_INSTANT
    return rose
  }

  /** Nothing more will come, from anybody. */
  end(): boolean {
    this.#ended = true
    return this.#publish()
  }

  /** Names of the sources that are idle, in the order in which they joined. */
  idleSources(): string[] {
    return [...this.sources.values()].filter((s) => s.idle).map((s) => s.name)
  }

  #publish(): boolean {
    const combined = this.#ended ? MAX_INSTANT : combine(this.sources.values())
    if (combined <= this.watermark) return false
    this.watermark = combined
    return true
  }
}

/** Minimum over active sources; maximum over all when none is active; MIN without sources (semantics.md §3). */
export function combine(sources: Iterable<SourceClock>): Instant {
  let least: Instant = MAX_INSTANT
  let most: Instant = MIN_INSTANT
  let active = false
  for (const source of sources) {
    if (source.watermark > most) most = source.watermark
    if (source.idle) continue
    active = true
    if (source.watermark < least) least = source.watermark
  }
  return active ? least : most
}

import { type Instant, MAX_INSTANT, MIN_INSTANT } from '../../contracts/instant'
import { SourceClock, type SourceSettings } from './sourceClock'

/**
 * The watermark of the pipeline (semantics.md §3): the minimum over active sources, or the maximum over all of
 * them when every one is idle; published only when it rises. Test sources have a clock but no part in it.
 *
 * A source is *active* from its declaration or first accepted event; it turns *idle* when its timer has run out at
 * some journal time (`passTime`), and active again when it speaks (`speak`). `passTime` is called with the journal
 * time of every record and event before anything else, so that flags never depend on when somebody looked.
 * *Paused*: the server takes nothing, so no timer runs until `resume`.
 */
export class PipelineClock {
  readonly sources = new Map<string, SourceClock>()
  watermark: Instant = MIN_INSTANT
  ended = false
  /** Journal time since which timers stand still; null: they run. */
  pausedAt: number | null = null
  /** Journal time at which a source that counts last spoke; the first record's before that. */
  lastSpokeAt = MIN_INSTANT
  /** The set of sources changed in a way that only the next passing of time makes good (a retired source). */
  stale = false
  /** No active source can have turned idle at or before this instant; spares a scan for each event. */
  #quietUntil: Instant = MAX_INSTANT

  /** Adds a source whose timer starts at `at`. It holds the watermark from now on. */
  add(name: string, declared: boolean, settings: SourceSettings, at: number): SourceClock {
    const source = new SourceClock(name, declared, settings, at)
    this.sources.set(name, source)
    this.#quietUntil = Math.min(this.#quietUntil, source.idleAfter)
    return source
  }

  /** Drops a source. The watermark follows when time next passes, as in Flink's multiplexer. */
  retire(name: string): void {
    this.sources.delete(name)
    this.stale = true
  }

  /** Settings changed: timers may run out earlier than was thought. */
  reconsider(): void {
    this.#quietUntil = MIN_INSTANT
  }

  /** Sets idle flags as of journal time `at`. True when the watermark rose. */
  passTime(at: number): boolean {
    const until = this.timerTime(at)
    const turned = until > this.#quietUntil && this.#turnIdle(until)
    if (!turned && !this.stale) return false
    this.stale = false
    return this.publish()
  }

  /** What the timers read at journal time `at`: they stand still while the server takes nothing. */
  timerTime(at: number): number {
    return this.pausedAt === null ? at : Math.min(at, this.pausedAt)
  }

  #turnIdle(until: number): boolean {
    let changed = false
    let quietUntil: Instant = MAX_INSTANT
    for (const source of this.sources.values()) {
      if (source.idle) continue
      const limit = source.idleAfter
      if (until > limit) {
        source.idle = true
        changed = true
      } else if (limit < quietUntil) quietUntil = limit
    }
    this.#quietUntil = quietUntil
    return changed
  }

  /** An accepted event, a duplicate or a mark came: the timer starts again and the source is active. */
  speak(source: SourceClock, at: number): void {
    source.lastRecordAt = at
    source.timerStart = at
    source.idle = false
    if (!source.test) this.lastSpokeAt = at
    const limit = source.idleAfter
    if (limit < this.#quietUntil) this.#quietUntil = limit
  }

  /** Takes in the event time of an accepted event. True when the pipeline's watermark rose. */
  observe(source: SourceClock, eventTime: number): boolean {
    const before = source.watermark
    source.observe(eventTime)
    return this.#follows(source, before)
  }

  /** Takes in a mark. True when the pipeline's watermark rose. */
  takeMark(source: SourceClock, mark: number): boolean {
    const before = source.watermark
    source.takeMark(mark)
    return this.#follows(source, before)
  }

  #follows(source: SourceClock, before: Instant): boolean {
    // Only a source that stood at or below the published watermark can have been what held it.
    if (source.watermark === before || before > this.watermark || source.test) return false
    return this.publish()
  }

  /** An operator's word: idle now, or active with a timer that starts at `at`. */
  setIdle(source: SourceClock, idle: boolean, at: number): void {
    source.idle = idle
    if (idle) return
    source.timerStart = at
    this.#quietUntil = Math.min(this.#quietUntil, source.idleAfter)
  }

  pause(at: number): void {
    this.pausedAt ??= at
  }

  /** The server was away since `pausedAt`: timers of active sources did not run (semantics.md §3). */
  resume(pausedAt: number, at: number): boolean {
    const since = this.pausedAt ?? pausedAt
    const rose = this.passTime(since)
    for (const source of this.sources.values()) {
      if (!source.idle) source.timerStart += Math.max(0, at - Math.max(since, source.timerStart))
    }
    this.lastSpokeAt += Math.max(0, at - Math.max(since, this.lastSpokeAt))
    this.pausedAt = null
    this.#quietUntil = MIN_INSTANT
    return rose
  }

  /** Nothing more will come, from anybody. True when the watermark rose. */
  end(): boolean {
    this.ended = true
    return this.publish()
  }

  /** Names of the sources that are idle, in the order in which they joined. */
  idleSources(): string[] {
    return [...this.sources.values()].filter((s) => s.idle && !s.test).map((s) => s.name)
  }

  /** Publishes the combined watermark if it is larger than before. True when it is. */
  publish(): boolean {
    const combined = this.ended ? MAX_INSTANT : combine(this.sources.values())
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
    if (source.test) continue
    if (source.watermark > most) most = source.watermark
    if (source.idle) continue
    active = true
    if (source.watermark < least) least = source.watermark
  }
  return active ? least : most
}

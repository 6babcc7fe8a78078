import { type Instant, MAX_INSTANT, MIN_INSTANT } from '../../contracts/instant'
import type { Strategy } from '../../contracts/strategy'
import { AdaptiveBound } from './adaptiveBound'
import { StaleWatch } from './staleWatch'

/** What a source is told by the spec. Durations in ms; `idleTimeout` null: never idle. */
export interface SourceSettings {
  readonly strategy: Strategy
  readonly idleTimeout: number | null
  readonly test: boolean
  readonly pulled: boolean
}

/** The clock of one source: its events' times in, its watermark out. All times are journal or event time in ms. */
export class SourceClock {
  readonly name: string
  declared: boolean
  settings: SourceSettings
  /** Largest event time seen; MIN before the first event. */
  maxTs: Instant = MIN_INSTANT
  watermark: Instant = MIN_INSTANT
  /** Start of the idle timer: journal time of the last record, or of the declaration. */
  timerStart: number
  /** Journal time of the last accepted event, duplicate or mark; null: it never spoke. */
  lastRecordAt: number | null = null
  idle = false
  /** Alignment would have it wait (semantics.md §3). */
  wouldPause = false
  adaptive: AdaptiveBound | null = null
  readonly stale = new StaleWatch()

  constructor(name: string, declared: boolean, settings: SourceSettings, at: number) {
    this.name = name
    this.declared = declared
    this.settings = settings
    this.timerStart = at
    this.#beginStrategy(at)
  }

  get test(): boolean {
    return this.settings.test
  }

  get pulled(): boolean {
    return this.settings.pulled
  }

  get resendsHistory(): boolean {
    return this.stale.resendsHistory
  }

  /** Out-of-orderness bound in force, ms; null: the source is punctuated and has none. */
  get bound(): number | null {
    const { strategy } = this.settings
    if (strategy.kind === 'bounded') return strategy.bound
    if (strategy.kind === 'ascending') return 0
    if (strategy.kind === 'adaptive') return this.adaptive?.bound ?? strategy.initial
    return null
  }

  /**
   * New settings, from journal time `at` on. A new strategy holds at once: the watermark rises to what follows from
   * it, and never falls (semantics.md §7).
   */
  configure(settings: SourceSettings, at: number): void {
    const changed = JSON.stringify(settings.strategy) !== JSON.stringify(this.settings.strategy)
    this.settings = settings
    if (!changed) return
    this.#beginStrategy(at)
    this.#follow()
  }

  /** Takes in the event time of an accepted event, after it was folded (semantics.md §2). */
  observe(eventTime: number): void {
    if (eventTime > this.maxTs) this.maxTs = eventTime
    // Also when the largest time stays: a learned bound may have fallen.
    else if (this.adaptive === null) return
    this.#follow()
  }

  /** The producer's word that nothing before `mark` is still to come: `W = mark - 1`. Others take no marks. */
  takeMark(mark: number): void {
    if (this.settings.strategy.kind === 'punctuated' && mark - 1 > this.watermark) this.watermark = mark - 1
  }

  /** When the source counts as idle if nothing comes: idle is strictly after this instant (semantics.md §3). */
  get idleAfter(): Instant {
    const { idleTimeout } = this.settings
    return idleTimeout === null ? MAX_INSTANT : this.timerStart + idleTimeout
  }

  #beginStrategy(at: number): void {
    const { strategy } = this.settings
    this.adaptive = strategy.kind === 'adaptive' ? new AdaptiveBound(strategy, at) : null
  }

  /** `W = maxTs - B - 1`, never back. The -1: others with the same event time may follow. Saturates at MIN. */
  #follow(): void {
    const { bound } = this
    if (bound === null) return
    const watermark = this.maxTs - bound - 1
    if (watermark > this.watermark) this.watermark = watermark
  }
}

export function idleAfter(source: SourceClock): Instant {
  return source.idleAfter
}

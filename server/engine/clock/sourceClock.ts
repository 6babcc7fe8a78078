import { type Instant, MIN_INSTANT } from '../../contracts/instant'
import type { Strategy } from '../../contracts/pipelineSpec'

/** What a source is told by the spec: its strategy, and after how long a silence it is idle (null: never). */
export interface SourceSettings {
  readonly strategy: Strategy
  readonly idleTimeout: number | null
}

/** The clock of one source: its events' times in, its watermark out. All times are journal or event time in ms. */
export interface SourceClock {
  readonly name: string
  readonly declared: boolean
  settings: SourceSettings
  /** Largest event time seen; MIN before the first event. */
  maxTs: Instant
  watermark: Instant
  /** Start of the idle timer: journal time of the last record, or of the declaration. */
  timerStart: number
  /** Journal time of the last accepted event, duplicate or mark; null: it never spoke. */
  lastRecordAt: number | null
  idle: boolean
}

export function newSourceClock(
  name: string,
  declared: boolean,
  settings: SourceSettings,
  at: number,
): SourceClock {
  return {
    name,
    declared,
    settings,
    maxTs: MIN_INSTANT,
    watermark: MIN_INSTANT,
    timerStart: at,
    lastRecordAt: null,
    idle: false,
  }
}

/** Watermark that follows from the events so far, by strategy (semantics.md §2). Saturates at MIN. */
function watermarkOf(strategy: Strategy, maxTs: Instant): Instant {
  switch (strategy.kind) {
    case 'bounded':
      // The -1: others with the same event time may follow.
      return maxTs - strategy.bound - 1
  }
}

/** Takes in an event time. The watermark never goes back, also when a larger bound says so (semantics.md §1). */
export function observe(clock: SourceClock, eventTime: number): void {
  if (eventTime <= clock.maxTs) return
  clock.maxTs = eventTime
  const watermark = watermarkOf(clock.settings.strategy, eventTime)
  if (watermark > clock.watermark) clock.watermark = watermark
}

/** When the source counts as idle if nothing comes: idle is strictly after this instant (semantics.md §3). */
export function idleAfter(clock: SourceClock): Instant {
  return clock.settings.idleTimeout === null
    ? Number.POSITIVE_INFINITY
    : clock.timerStart + clock.settings.idleTimeout
}

import { MAX_INSTANT } from '../../contracts/instant'
import type { SourceClock } from './sourceClock'

/** Lowest watermark of the active sources that count; MAX when there is none. */
export function slowestActive(sources: Iterable<SourceClock>): number {
  let least = MAX_INSTANT
  for (const s of sources) if (!s.idle && !s.test && s.watermark < least) least = s.watermark
  return least
}

/**
 * Alignment (semantics.md §3): pulled sources more than `maxDrift` ms ahead of the slowest active one should wait.
 * Returns those whose `wouldPause` changed. It bounds what a reader holds; no result depends on it.
 */
export function align(sources: Iterable<SourceClock>, maxDrift: number | null): SourceClock[] {
  const all = [...sources]
  const limit = maxDrift === null ? MAX_INSTANT : slowestActive(all) + maxDrift
  return all.filter((source) => {
    const wouldPause = source.pulled && !source.test && source.watermark > limit
    if (wouldPause === source.wouldPause) return false
    source.wouldPause = wouldPause
    return true
  })
}

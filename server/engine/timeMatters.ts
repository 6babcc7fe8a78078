import type { EngineState } from './state'

/** Time alone can still change something, so ticks are worth writing (semantics.md §3). */
export function timeMatters(state: EngineState): boolean {
  const { clock, pipeline } = state
  if (clock.stale) return true
  for (const source of clock.sources.values()) {
    if (!source.idle && source.settings.idleTimeout !== null) return true
  }
  if (!pipeline) return false
  const silence = pipeline.spec.closeByInactivity !== null
  return pipeline.views.some((view) => view.openCount > 0 && (silence || view.spec.time === 'journal'))
}

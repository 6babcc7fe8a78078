import type { EngineState } from '../engine/state'

/** What the engine's state has no room for, and how to mend it (semantics.md §8). */
export interface NoRoom {
  readonly limit: 'maxLiveIds' | 'maxSources'
  readonly message: string
}

/** Whether the next request of `source` can be taken; null: it can. Cheap, for every request asks. */
export function roomFor(state: EngineState, source: string): NoRoom | null {
  const { pipeline, clock } = state
  if (!pipeline) return null
  const { maxLiveIds, maxSources } = pipeline.spec
  if (pipeline.ids.size >= maxLiveIds) return idsFull(maxLiveIds)
  if (clock.sources.size < maxSources || clock.sources.has(source)) return null
  return {
    limit: 'maxSources',
    message:
      `there are ${maxSources} sources, as many as maxSources allows, and ${source} would be a new one: ` +
      'send under a known name, retire sources that are no more, or raise maxSources.',
  }
}

/** While nothing is taken no watermark moves by itself, so the message must name the ways out. */
function idsFull(maxLiveIds: number): NoRoom {
  return {
    limit: 'maxLiveIds',
    message:
      `Tidemark holds ${maxLiveIds.toLocaleString('en')} event ids, as many as maxLiveIds allows; ids are given back ` +
      'when windows close. If that does not happen, an operator raises maxLiveIds, or forces the watermark forward.',
  }
}

import type { ViewSpec } from '../../contracts/viewSpec'
import type { Done } from '../done'
import type { Emitter } from '../emitter'
import type { EngineState } from '../state'

/** The state of the second fold, under the new views, as of the record before. */
export interface Filled {
  readonly filled: EngineState
}

/**
 * Puts the views that were filled in the place of those before (semantics.md §7). Both folds judged by the same base
 * windows, so ids and counted set are the same; clock and counters stay.
 */
export function switchSpec(state: EngineState, change: number, { filled }: Filled, emit: Emitter): Done {
  const { pipeline } = state
  const next = filled.pipeline
  if (!pipeline?.pending || pipeline.pending.position !== change)
    return { refused: `no change of position ${change} is under way` }
  if (!next || filled.position !== emit.position - 1)
    throw new RangeError(`the views of the change at ${change} are filled to ${filled.position} only`)
  const { views, tzdata, position } = pipeline.pending
  // What stayed may have got another limit of keys meanwhile.
  const now = (view: ViewSpec) => pipeline.spec.views.find(({ id }) => id === view.id) ?? view
  const spec = {
    ...pipeline.spec,
    views: views.map((view) => (view.version === position ? view : now(view))),
    tzdata,
    version: pipeline.spec.version + 1,
  }
  next.spec = spec
  for (const view of next.views) view.spec = spec.views.find((v) => v.id === view.spec.id) ?? view.spec
  for (const name of pipeline.reported) next.reported.add(name)
  state.pipeline = next
  const changed = views.filter((view) => view.version === position).map((view) => view.id)
  return { changes: [`views filled from the journal and switched to: ${changed.join(', ') || 'none'}`] }
}

import { baseView } from '../../contracts/baseView'
import { PipelineSpec } from '../../contracts/pipelineSpec'
import { sameJson } from '../../contracts/sameJson'
import { specChange } from '../../contracts/specChange'
import type { ViewSpec } from '../../contracts/viewSpec'
import { type Done, inWords } from '../done'
import type { PipelineState } from '../state'

/**
 * Notes a change whose views must be filled from the journal first. `position`: of the command; views that change have
 * it as their version, so that what was filled for a change that was given up is never taken for another's.
 */
export function beginChange(pipeline: PipelineState, wanted: PipelineSpec, position: number): Done {
  const { spec, pending } = pipeline
  if (pending) {
    return {
      refused: `the change of position ${pending.position} is still being filled; wait for it, or give cancelChange`,
    }
  }
  const views = wanted.views.map((view) => versioned(view, spec.views, position))
  const checked = PipelineSpec.safeParse({ ...spec, views, tzdata: wanted.tzdata })
  if (!checked.success) return { refused: inWords(checked.error) }
  const { immediate, needsBackfill } = specChange(spec, wanted)
  if (immediate.length > 0) {
    return { refused: `first give by itself what can hold at once (${immediate.join('; ')}), then the rest` }
  }
  if (!sameJson(baseView(spec.views).window, baseView(views).window)) {
    return {
      refused:
        'views: the windows of the base view decide what is late, and what was judged by them stands; keep a view with the same ones, the finest tumbling view',
    }
  }
  pipeline.pending = { position, views: checked.data.views, tzdata: checked.data.tzdata }
  return { changes: ['back-fill begun', ...needsBackfill.map(({ message }) => message)] }
}

/** A view that stays as it is keeps its version, and what it is folded by. */
function versioned(view: ViewSpec, before: readonly ViewSpec[], position: number): ViewSpec {
  const known = before.find(({ id }) => id === view.id)
  if (known && sameJson({ ...known, maxKeys: 0 }, { ...view, version: known.version, maxKeys: 0 }))
    return known
  return { ...view, version: position }
}

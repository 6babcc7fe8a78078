import { totalView } from '../contracts/baseView'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { ViewSpec } from '../contracts/viewSpec'
import { AppError } from '../platform/errors'

/** A view of the spec by its id. Throws AppError `not_found` that names those that there are. */
export function viewOf(spec: PipelineSpec, id: string): ViewSpec {
  const view = spec.views.find((candidate) => candidate.id === id)
  if (view) return view
  const names = spec.views.map((candidate) => candidate.id).join(', ')
  throw new AppError('not_found', `there is no view ${JSON.stringify(id)}; there are ${names}`)
}

/** The view whose corrections a person reads: the total one, so that one order shows once; else the base view. */
export function correctedView(spec: PipelineSpec): { readonly view: string; readonly version: number } {
  const { id, version } = totalView(spec.views)
  return { view: id, version }
}

/** The view of business days without dimensions; undefined where the pipeline has none. */
export function totalDayView(spec: PipelineSpec): ViewSpec | undefined {
  return spec.views.find(
    ({ window, groupBy }) =>
      groupBy.length === 0 &&
      window.kind === 'calendar' &&
      window.unit === 'day' &&
      window.zone === spec.zone,
  )
}

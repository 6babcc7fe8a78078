import { isDeepStrictEqual } from 'node:util'
import type { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import { readopt, settle } from './settings'
import type { State } from './state'

/**
 * A new definition. One that changes nothing is refused. What changes which windows there are needs a back-fill and
 * is refused; the rest holds from here on (semantics.md §7). A source that is no longer named is retired.
 */
export function changeSpec(state: State, spec: PipelineSpec): boolean {
  const shape = ({ views }: PipelineSpec) =>
    JSON.stringify(views.map(({ maxKeys, version, ...view }) => ({ ...view })))
  if (shape(spec) !== shape(state.spec)) return false
  if (isDeepStrictEqual({ ...spec, version: 0 }, { ...state.spec, version: 0 })) return false
  const before = state.spec.sources
  state.spec = structuredClone(spec)
  let oneLess = false
  for (const source of before) {
    if (spec.sources.some((s) => s.name === source.name)) continue
    state.sources.delete(source.name)
    state.reached.add('retired by a change')
    oneLess = true
  }
  for (const source of spec.sources) if (settle(state, source)) oneLess = true
  readopt(state, oneLess)
  return true
}

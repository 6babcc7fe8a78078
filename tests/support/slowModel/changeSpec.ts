import { isDeepStrictEqual } from 'node:util'
import type { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import { readopt, settle } from './settings'
import type { State } from './state'

/**
 * A new definition. One that changes nothing is refused. What changes which windows there are is only noted: it holds
 * once it is filled; the rest holds from here on (semantics.md §7). A source that is no longer named is retired.
 */
export function changeSpec(state: State, spec: PipelineSpec): boolean {
  const shape = ({ views }: PipelineSpec) =>
    JSON.stringify(views.map(({ maxKeys, version, ...view }) => ({ ...view })))
  if (shape(spec) !== shape(state.spec)) return beginFilling(state, spec)
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

/** One at a time, and only what leaves alone the windows that decide what is late. */
function beginFilling(state: State, spec: PipelineSpec): boolean {
  if (state.filling) return false
  const rest = (of: PipelineSpec) => ({ ...of, version: 0, views: [], tzdata: null })
  if (!isDeepStrictEqual(rest(spec), rest(state.spec))) return false
  if (!isDeepStrictEqual(judging(spec), judging(state.spec))) return false
  state.filling = true
  return true
}

/** The windows of the smallest tumbling view by event time, or of the first view by event time. */
function judging({ views }: PipelineSpec): unknown {
  const byEvents = views.filter(({ time }) => time === 'event').map(({ window }) => window)
  const tumbling = byEvents.flatMap((window) => (window.kind === 'tumbling' ? [window] : []))
  const least = Math.min(...tumbling.map(({ size }) => size))
  return tumbling.find(({ size }) => size === least) ?? byEvents[0]
}

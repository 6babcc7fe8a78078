import type { SourceSpec } from '../../../server/contracts/sourceSpec'
import { MIN, type Source, type State } from './state'
import { startLearning } from './strategy'

/** The lane of undeclared sources that came when there were `maxSources` clocks. */
export const SHARED_LANE = '__other__'

/** A source's clock begins: from now on it is waited for. */
export function join(state: State, name: string, own: Partial<SourceSpec> = {}): Source {
  const source: Source = {
    name,
    own: { test: false, pulled: false, ...own },
    strategy: own.strategy ?? state.spec.strategy,
    maxTs: MIN,
    W: MIN,
    timer: state.at,
    idle: false,
    learned: 0,
    delays: [],
    period: 0,
    stale: [],
    resendsHistory: false,
    wouldPause: false,
  }
  startLearning(source, state.at)
  state.sources.set(name, source)
  state.reached.add(`strategy ${source.strategy.kind}`)
  return source
}

/** The clock that an accepted event or a mark of this source goes by (decision 29). */
export function laneOf(state: State, name: string): Source {
  const known = state.sources.get(name)
  if (known) return known
  if (state.sources.size < state.spec.maxSources) return join(state, name)
  const shared = state.sources.get(SHARED_LANE)
  if (shared) return shared
  state.told.notices.push(`sources_over_cap ${SHARED_LANE}`)
  state.reached.add('sources_over_cap')
  return join(state, SHARED_LANE)
}

/** An accepted event, a duplicate or a mark: the source is awake, and the silence is over. */
export function speak(state: State, source: Source): void {
  if (source.idle) state.reached.add('came back')
  source.timer = state.at
  source.idle = false
  if (!source.own.test) state.heardAt = state.at
}

export function setIdle(state: State, now: number): void {
  for (const source of state.sources.values()) {
    const timeout = source.own.idleTimeout === undefined ? state.spec.idleTimeout : source.own.idleTimeout
    if (timeout === null || now - source.timer <= timeout) continue
    source.idle = true
    state.reached.add(source.own.test ? 'test source idle' : 'idle')
  }
}

/** Names of the sources that a window which fires now does not wait for. */
export function idleNames(state: State): string[] {
  return waitedFor(state)
    .filter((s) => s.idle)
    .map((s) => s.name)
    .sort()
}

/** Where the sources together put the watermark; MIN without any (semantics.md §3). */
export function combined(state: State): number {
  const all = waitedFor(state)
  const active = all.filter((s) => !s.idle)
  if (active.length > 0) return Math.min(...active.map((s) => s.W))
  if (all.length > 0) state.reached.add('all idle')
  return Math.max(MIN, ...all.map((s) => s.W))
}

/** Alignment, at the end of each record: who would be told to wait (decision 15). */
export function align(state: State): void {
  const { maxDrift } = state.spec
  const active = waitedFor(state).filter((s) => !s.idle)
  const slowest = Math.min(...active.map((s) => s.W))
  for (const source of state.sources.values()) {
    const { pulled, test } = source.own
    const waits = maxDrift !== null && active.length > 0 && pulled && !test && source.W > slowest + maxDrift
    if (waits === source.wouldPause) continue
    source.wouldPause = waits
    const kind = waits ? 'drift_over_limit' : 'drift_over'
    state.told.notices.push(`${kind} ${source.name}`)
    state.reached.add(kind)
  }
}

function waitedFor(state: State): Source[] {
  return [...state.sources.values()].filter((s) => !s.own.test)
}

import type { SourceSnapshot } from '../contracts/flush'
import { finiteOrNull } from '../contracts/instant'
import type { PipelineStatus, SourceStatus } from '../contracts/status'
import { idleAfter, type SourceClock } from '../engine/clock/sourceClock'
import { type EngineState, newCounts } from '../engine/state'

/** What the runner knows beside the engine's state. */
export interface RunnerFacts {
  readonly now: number
  readonly journaled: number
  readonly committed: number
  readonly catchingUp: boolean
  readonly trouble: string | null
}

export function sourceSnapshots(state: EngineState): SourceSnapshot[] {
  const names = new Set([...state.clock.sources.keys(), ...state.countsBySource.keys()])
  return [...names].map((name) => snapshotOf(name, state))
}

function snapshotOf(name: string, state: EngineState): SourceSnapshot {
  const clock = state.clock.sources.get(name)
  const counts = state.countsBySource.get(name) ?? newCounts()
  return {
    name,
    ...counts,
    declared: clock?.declared ?? false,
    state: stateOf(clock),
    watermark: clock ? finiteOrNull(clock.watermark) : null,
    maxEventTime: clock ? finiteOrNull(clock.maxTs) : null,
    lastRecordAt: clock?.lastRecordAt ?? null,
  }
}

function stateOf(clock: SourceClock | undefined): SourceSnapshot['state'] {
  if (!clock) return 'never'
  if (clock.idle) return 'idle'
  return clock.lastRecordAt === null ? 'never' : 'active'
}

/** The pipeline as the console shows it. Reads the state between two records. */
export function pipelineStatus(state: EngineState, facts: RunnerFacts): PipelineStatus {
  const spec = state.pipeline?.spec
  const sources = sourceSnapshots(state).map((s) => sourceStatus(s, state))
  const windows = state.pipeline ? [...state.pipeline.base.windows.values()] : []
  return {
    ...facts,
    at: state.position === 0 ? null : state.at,
    watermark: finiteOrNull(state.clock.watermark),
    sources,
    counts: { ...state.counts },
    openWindows: windows.filter((w) => !w.fired).length,
    firedWindows: windows.filter((w) => w.fired).length,
    liveIds: state.pipeline?.ids.size ?? 0,
    allowedLateness: spec?.allowedLateness ?? 0,
    zone: spec?.zone ?? 'UTC',
  }
}

function sourceStatus(source: SourceSnapshot, state: EngineState): SourceStatus {
  const clock = state.clock.sources.get(source.name)
  return {
    ...source,
    idleAt: clock && !clock.idle ? finiteOrNull(idleAfter(clock)) : null,
    idleTimeout: clock?.settings.idleTimeout ?? null,
    bound: clock?.settings.strategy.bound ?? 0,
    holdsBack: clock !== undefined && holdsBack(clock, state),
  }
}

/** It is active, and no active source's watermark is lower: the pipeline waits for it. */
function holdsBack(clock: SourceClock, state: EngineState): boolean {
  if (clock.idle) return false
  for (const other of state.clock.sources.values()) {
    if (!other.idle && other.watermark < clock.watermark) return false
  }
  return true
}

import type { SourceSnapshot } from '../contracts/flush'
import { finiteOrNull, MAX_INSTANT } from '../contracts/instant'
import { specWarnings } from '../contracts/specWarnings'
import type { OutcomeCounts, PipelineStatus, SourceState, SourceStatus } from '../contracts/status'
import { slowestActive } from '../engine/clock/drift'
import { idleAfter, type SourceClock } from '../engine/clock/sourceClock'
import { stateSize } from '../engine/size'
import { type EngineState, newCounts } from '../engine/state'

/** What the runner knows beside the engine's state. */
export interface RunnerFacts {
  readonly now: number
  readonly journaled: number
  readonly committed: number
  readonly databaseAt: number
  readonly catchingUp: boolean
  readonly standby: PipelineStatus['standby']
  readonly backfill: PipelineStatus['backfill']
  readonly trouble: string | null
}

/** Every source that has a clock or counters. */
export function sourceSnapshots(state: EngineState): SourceSnapshot[] {
  const names = new Set([...state.clock.sources.keys(), ...state.countsBySource.keys()])
  return [...names].map((name) => snapshotOf(name, state))
}

function snapshotOf(name: string, state: EngineState): SourceSnapshot {
  const clock = state.clock.sources.get(name)
  const counts = state.countsBySource.get(name) ?? newCounts()
  const strategy = clock?.settings.strategy ?? state.pipeline?.spec.strategy
  return {
    name,
    ...counts,
    declared: clock?.declared ?? false,
    state: stateOf(clock, counts),
    watermark: clock ? finiteOrNull(clock.watermark) : null,
    maxEventTime: clock ? finiteOrNull(clock.maxTs) : null,
    lastRecordAt: clock?.lastRecordAt ?? null,
    strategy: strategy?.kind ?? 'bounded',
    bound: clock?.bound ?? null,
    isTest: clock?.test ?? false,
    resendsHistory: clock?.resendsHistory ?? false,
    wouldPause: clock?.wouldPause ?? false,
  }
}

function stateOf(clock: SourceClock | undefined, counts: OutcomeCounts): SourceState {
  if (!clock) return onlyQuarantined(counts) ? 'never' : 'retired'
  if (clock.idle) return 'idle'
  return clock.lastRecordAt === null ? 'never' : 'active'
}

/** It has counters and no clock because nothing of it was accepted yet, not because somebody retired it. */
function onlyQuarantined({ received, quarantined, test }: OutcomeCounts): boolean {
  return received > 0 && received === quarantined && test === 0
}

/** The pipeline as the console shows it. Reads the state between two records. */
export function pipelineStatus(state: EngineState, facts: RunnerFacts): PipelineStatus {
  const spec = state.pipeline?.spec
  const base = state.pipeline?.base
  const slowest = slowestActive(state.clock.sources.values())
  return {
    ...facts,
    at: state.position === 0 ? null : state.at,
    watermark: finiteOrNull(state.clock.watermark),
    sources: sourceSnapshots(state).map((s) => sourceStatus(s, state.clock.sources.get(s.name), slowest)),
    counts: { ...state.counts },
    openWindows: base?.openCount ?? 0,
    firedWindows: base?.firedCount ?? 0,
    liveIds: state.pipeline?.ids.size ?? 0,
    maxLiveIds: spec?.maxLiveIds ?? 0,
    state: stateSize(state),
    warnings: spec ? specWarnings(spec) : [],
    allowedLateness: spec?.allowedLateness ?? 0,
    zone: spec?.zone ?? 'UTC',
  }
}

/** `slowest`: the lowest watermark among active sources that count; MAX when there is none. */
function sourceStatus(source: SourceSnapshot, clock: SourceClock | undefined, slowest: number): SourceStatus {
  return {
    ...source,
    idleAt: clock && !clock.idle ? finiteOrNull(idleAfter(clock)) : null,
    idleTimeout: clock?.settings.idleTimeout ?? null,
    drift: driftOf(clock, slowest),
    holdsBack: clock !== undefined && !clock.idle && !clock.test && clock.watermark === slowest,
  }
}

/** ms; null where one of the two has no watermark yet. */
function driftOf(clock: SourceClock | undefined, slowest: number): number | null {
  if (!clock || slowest === MAX_INSTANT) return null
  return finiteOrNull(clock.watermark - slowest)
}

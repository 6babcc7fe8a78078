import { baseView, type PipelineSpec, type SourceSpec } from '../contracts/pipelineSpec'
import type { OutcomeCounts } from '../contracts/status'
import { PipelineClock } from './clock/pipelineClock'
import type { SourceSettings } from './clock/sourceClock'
import { IdTable } from './dedupe'
import { ViewState } from './windows/viewState'

/** Outcomes so far, of one source or of all; numbers that only grow. */
export type Counts = { -readonly [K in keyof OutcomeCounts]: number }

export function newCounts(): Counts {
  return { received: 0, inTime: 0, corrected: 0, late: 0, duplicate: 0, quarantined: 0, conflict: 0 }
}

/**
 * The whole state of the pipeline: a fold over the journal (design.md §1.3). `step` is the only thing that changes
 * it, in place and as a function of the record alone; everything else may read it between two records.
 */
export interface EngineState {
  /** null until the spec record, which is the first of every journal. */
  pipeline: PipelineState | null
  readonly clock: PipelineClock
  /** Position and journal time of the last folded record; 0 before the first. */
  position: number
  at: number
  readonly counts: Counts
  readonly countsBySource: Map<string, Counts>
}

/** What a spec sets up. */
export interface PipelineState {
  readonly spec: PipelineSpec
  readonly views: readonly ViewState[]
  readonly base: ViewState
  readonly ids: IdTable
  /** Windows opened so far, over all views. */
  windowsOpened: number
}

export function initialState(): EngineState {
  return {
    pipeline: null,
    clock: new PipelineClock(),
    position: 0,
    at: 0,
    counts: newCounts(),
    countsBySource: new Map(),
  }
}

export function newPipeline(spec: PipelineSpec): PipelineState {
  const baseId = baseView(spec.views).id
  const views = spec.views.map((view) => new ViewState(view, view.id === baseId))
  const base = views.find((view) => view.isBase)
  if (!base) throw new RangeError('a pipeline has a base view')
  return { spec, views, base, ids: new IdTable(), windowsOpened: 0 }
}

/** What holds for a source: its own settings, else the pipeline's. */
export function settingsOf(spec: PipelineSpec, source: SourceSpec | undefined): SourceSettings {
  return {
    strategy: source?.strategy ?? spec.strategy,
    idleTimeout: source?.idleTimeout === undefined ? spec.idleTimeout : source.idleTimeout,
  }
}

export function countsOf(state: EngineState, source: string): Counts {
  const known = state.countsBySource.get(source)
  if (known) return known
  const counts = newCounts()
  state.countsBySource.set(source, counts)
  return counts
}

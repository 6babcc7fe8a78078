import { baseView, notUnionOfBase } from '../contracts/baseView'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import { sameJson } from '../contracts/sameJson'
import type { SourceSpec } from '../contracts/sourceSpec'
import type { OutcomeCounts } from '../contracts/status'
import type { ViewSpec } from '../contracts/viewSpec'
import { PipelineClock } from './clock/pipelineClock'
import type { SourceSettings } from './clock/sourceClock'
import { IdTable } from './dedupe'
import { Scratch } from './scratch'
import { assignerOf } from './windows/assigner'
import type { ClosingRule } from './windows/closing'
import { Horizon } from './windows/horizon'
import { SessionView } from './windows/sessionView'
import { SlicedView } from './windows/slicedView'
import type { BaseView, View } from './windows/view'
import { type ViewParts, WindowedView } from './windows/windowedView'

/** Outcomes so far, of one source or of all. `received` only grows; commands move events between the others. */
export type Counts = { -readonly [K in keyof OutcomeCounts]: number }

export function newCounts(): Counts {
  return {
    received: 0,
    inTime: 0,
    corrected: 0,
    late: 0,
    duplicate: 0,
    quarantined: 0,
    conflict: 0,
    test: 0,
    overflow: 0,
  }
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

export type AnyView = WindowedView | SlicedView | SessionView

/** What a spec sets up. */
export interface PipelineState {
  /** The definition in force; a command puts a new one in its place. */
  spec: PipelineSpec
  readonly views: readonly AnyView[]
  readonly base: BaseView
  readonly horizon: Horizon
  /** A definition whose views are being back-filled; null mostly. */
  pending: PendingChange | null
  ids: IdTable
  readonly scratch: Scratch
  readonly ordinals: Ordinals
  /** Views and sources whose limit has been reported. */
  readonly reported: Set<string>
}

/** A change that holds once its views are filled from the journal (semantics.md §7). */
export interface PendingChange {
  /** Position of the command, which is the version of the views that it changes. */
  readonly position: number
  readonly views: readonly ViewSpec[]
  readonly tzdata: string | null
}

/** Numbers windows in the order in which they are opened, over all views, from 1. */
export class Ordinals {
  last = 0
  readonly next = (): number => ++this.last
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
  const horizon = new Horizon(spec.allowedLateness)
  const ordinals = new Ordinals()
  const baseSpec = baseView(spec.views)
  const parts = (closing: ClosingRule): ViewParts => ({ horizon, closing, nextOrdinal: ordinals.next })
  const base = viewOf(baseSpec, true, parts({ kind: 'own' }))
  const views = spec.views.map((view) =>
    view.id === baseSpec.id ? base : viewOf(view, false, parts(closingOf(view, baseSpec, base))),
  )
  return {
    spec,
    views,
    base,
    horizon,
    pending: null,
    ids: new IdTable(),
    scratch: new Scratch(),
    ordinals,
    reported: new Set(),
  }
}

function viewOf(spec: ViewSpec, isBase: boolean, parts: ViewParts): AnyView {
  const { window } = spec
  switch (window.kind) {
    case 'tumbling':
    case 'calendar':
      return new WindowedView(spec, isBase, parts)
    case 'sliding':
    case 'cumulate':
      return new SlicedView(spec, window, isBase, parts)
    case 'session':
      return new SessionView(spec, window.gap, isBase, parts)
  }
}

function closingOf(view: ViewSpec, baseSpec: ViewSpec, base: BaseView): ClosingRule {
  if (view.time === 'journal') return { kind: 'journal' }
  // The same windows: each closes with its twin of the base view.
  if (sameJson(view.window, baseSpec.window)) return { kind: 'own' }
  if (notUnionOfBase(view.window, baseSpec.window))
    throw new RangeError(`view ${view.id} does not fit the base`)
  return { kind: 'byBase', base, assign: assignerOf(baseSpec.window) }
}

/** What holds for a source: its own settings, else the pipeline's. */
export function settingsOf(spec: PipelineSpec, source: SourceSpec | undefined): SourceSettings {
  return {
    strategy: source?.strategy ?? spec.strategy,
    idleTimeout: source?.idleTimeout === undefined ? spec.idleTimeout : source.idleTimeout,
    test: source?.test ?? false,
    pulled: source?.pulled ?? false,
  }
}

export function settingsByName(spec: PipelineSpec, name: string): SourceSettings {
  return settingsOf(
    spec,
    spec.sources.find((s) => s.name === name),
  )
}

export function countsOf(state: EngineState, source: string): Counts {
  const known = state.countsBySource.get(source)
  if (known) return known
  const counts = newCounts()
  state.countsBySource.set(source, counts)
  return counts
}

/** Adds one to an outcome of a source and of the pipeline. */
export function tally(state: EngineState, counts: Counts, outcome: keyof Counts): void {
  counts[outcome]++
  state.counts[outcome]++
}

export type { View }

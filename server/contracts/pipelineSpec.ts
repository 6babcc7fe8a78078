import { z } from 'zod'
import { findBaseView, notUnionOfBase, type WindowProblem } from './baseView'
import { NonNegativeDuration, PositiveDuration } from './duration'
import { LateRules } from './lateRules'
import { SourceSpec } from './sourceSpec'
import { Strategy } from './strategy'
import { strictObject, whenFieldsAreRight } from './strictObject'
import { repeated, ViewSpec } from './viewSpec'
import { Zone } from './windowSpec'

/** Version of the rules that a journal is folded by (semantics.md §7). */
export const RULES_VERSION = 1

/** Sources that a pipeline may have at most. */
const MOST_SOURCES = 10_000

/**
 * The pipeline as data (design.md §3). Defaults are those of semantics.md §8. Durations are ms. Definitions in journal,
 * snapshot and store are read back by this as well: a new field needs a default, and a new check must hold for all
 * that was accepted before it.
 */
export const PipelineSpec = strictObject({
  version: z.number().int().positive().default(1),
  /** Business zone: what "today" means on the screens. */
  zone: Zone.default('UTC'),
  strategy: Strategy.default({ kind: 'bounded', bound: 5_000 }),
  idleTimeout: PositiveDuration.nullable().default(60_000),
  allowedLateness: NonNegativeDuration.default(600_000),
  maxFutureSkew: NonNegativeDuration.default(300_000),
  maxAge: PositiveDuration.nullable().default(null),
  /** After so long a silence of everybody, open windows fire as they are (semantics.md §3); null: never. */
  closeByInactivity: PositiveDuration.nullable().default(null),
  /** A pulled source so far ahead of the slowest active one is not read on (semantics.md §3); null: no limit. */
  maxDrift: PositiveDuration.nullable().default(null),
  /** `record`: corrections of one window within a journal record make one revision. `event`: each makes its own. */
  coalesce: z.enum(['record', 'event']).default('record'),
  /** Sources that have a clock of their own at most; further undeclared ones share one. */
  maxSources: z.number().int().min(1).max(MOST_SOURCES).default(1_000),
  /** Live event ids at which ingest answers 503 until windows close (semantics.md §8). */
  maxLiveIds: z.number().int().min(1_000).max(200_000_000).default(20_000_000),
  /** Late events that are re-injected by themselves (semantics.md §5). */
  lateRules: LateRules.default({ reinjectUpTo: null, maxAmount: null }),
  /** tzdata that calendar windows were cut by; a change of it is a spec change (semantics.md §4). */
  tzdata: z.string().max(16).nullable().default(null),
  /** Declared by a spec or a command: as many as `maxSources` allows, or a snapshot could not be read back. */
  sources: z.array(SourceSpec).max(MOST_SOURCES).default([]),
  views: z.array(ViewSpec).min(1).max(16),
}).superRefine((spec, ctx) => {
  const refuse: Refuse = (path, message) => ctx.addIssue({ code: 'custom', path, message })
  for (const i of repeated(spec.views.map((v) => v.id)))
    refuse(['views', i, 'id'], 'another view has this id')
  for (const i of repeated(spec.sources.map((s) => s.name)))
    refuse(['sources', i, 'name'], 'another source has this name')
  if (spec.sources.length > spec.maxSources)
    refuse(['maxSources'], `fewer than the ${spec.sources.length} sources declared`)
  checkViews(spec.views, refuse)
}, whenFieldsAreRight)
export type PipelineSpec = z.infer<typeof PipelineSpec>

type Refuse = (path: (string | number)[], message: string) => void

function checkViews(views: readonly ViewSpec[], refuse: Refuse): void {
  views.forEach((view, i) => {
    if (view.time === 'journal' && view.window.kind === 'session')
      refuse(['views', i, 'time'], 'sessions go by event time only')
  })
  const base = findBaseView(views)
  if (!base) {
    refuse(['views'], 'at least one view must go by event time')
    return
  }
  views.forEach((view, i) => {
    if (view === base || view.time === 'journal') return
    const problem = problemBeside(base, view)
    if (problem) refuse(['views', i, 'window', ...problem.path], problem.message)
  })
}

function problemBeside(base: ViewSpec, view: ViewSpec): WindowProblem | null {
  if (base.window.kind !== 'session') return notUnionOfBase(view.window, base.window)
  return { path: [], message: 'sessions beside other event-time views need a tumbling one, such as 1m' }
}

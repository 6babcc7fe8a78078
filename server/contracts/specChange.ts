import { lateRulesText } from './lateRules'
import type { PipelineSpec } from './pipelineSpec'
import { sameJson } from './sameJson'
import { SourceSpec } from './sourceSpec'
import { countText, durationText, strategyText, windowText } from './specWords'
import type { ViewSpec } from './viewSpec'
import type { WindowSpec } from './windowSpec'

/** A field that cannot be changed at once, and why. */
export interface BackfillNeeded {
  /** Field of the new definition, such as `views.1.window`. */
  readonly path: string
  readonly message: string
}

export interface SpecChange {
  /** What holds from the change's position on, in words. */
  readonly immediate: readonly string[]
  readonly needsBackfill: readonly BackfillNeeded[]
}

/** What a field is called and how its value is said. A table of them names every field, or does not compile. */
type Words<T> = { readonly [K in keyof T]-?: readonly [name: string, text: (value: T[K]) => string] }

const timeout = (value: number | null) => (value === null ? 'off' : durationText(value))
const ifOwn = <T>(text: (value: T) => string) => {
  return (value: T | undefined) => (value === undefined ? "the pipeline's" : text(value))
}
const yesOrNo = (value: boolean) => (value ? 'yes' : 'no')
const quoted = (name: string) => JSON.stringify(name)
const listed = (items: readonly string[]) => items.join(', ') || 'none'

const PIPELINE: Words<Omit<PipelineSpec, 'version' | 'tzdata' | 'sources' | 'views'>> = {
  zone: ['business zone', String],
  strategy: ['strategy', strategyText],
  idleTimeout: ['idle timeout', timeout],
  allowedLateness: ['allowed lateness', durationText],
  maxFutureSkew: ['future skew at most', durationText],
  maxAge: ['age at most', timeout],
  closeByInactivity: ['closing by inactivity', timeout],
  maxDrift: ['drift at most', timeout],
  coalesce: ['corrections coalesced by', String],
  maxSources: ['sources at most', countText],
  maxLiveIds: ['live ids at most', countText],
  lateRules: ['late events re-injected by themselves', lateRulesText],
}

const TZDATA: Words<Pick<PipelineSpec, 'tzdata'>> = {
  tzdata: ['tzdata', (name) => name ?? 'not recorded'],
}

const SOURCE: Words<Omit<SourceSpec, 'name'>> = {
  strategy: ['strategy', ifOwn(strategyText)],
  idleTimeout: ['idle timeout', ifOwn(timeout)],
  maxAge: ['age at most', ifOwn(timeout)],
  test: ['test', yesOrNo],
  pulled: ['pulled', yesOrNo],
  strict: ['strict', yesOrNo],
  unit: ['unit', String],
  map: [
    'mapped fields',
    (map) => listed(Object.entries(map).map(([ours, theirs]) => `${ours} from ${quoted(theirs)}`)),
  ],
}

const VIEW: Words<Pick<ViewSpec, 'maxKeys'>> = { maxKeys: ['keys a window', countText] }

const VIEW_SHAPE: Words<Omit<ViewSpec, 'id' | 'maxKeys'>> = {
  version: ['version', String],
  window: ['window', windowText],
  time: ['time', String],
  groupBy: ['dimensions', (names) => listed(names.map(quoted))],
}

/**
 * Sorts what is new in a definition into what can hold at once and what changes the windows that there are, which
 * needs a back-fill (semantics.md §7). The definitions' own versions are not compared: they count changes. Both lists
 * are empty when nothing would change. Views and sources are told apart by id and name; sources have no order.
 */
export function specChange(from: PipelineSpec, to: PipelineSpec): SpecChange {
  const common = to.views.flatMap((view, i) => {
    const before = from.views.find((v) => v.id === view.id)
    return before ? [{ i, before, view }] : []
  })
  const cuts = [...from.views, ...to.views].some((view) => isCalendar(view.window))
  const otherTzdata = changes(TZDATA, from, to).map(({ text }) => text)
  return {
    immediate: [
      ...changes(PIPELINE, from, to).map(({ text }) => text),
      ...(cuts ? [] : otherTzdata),
      ...sourceChanges(from.sources, to.sources),
      ...common.flatMap(({ before, view }) =>
        changes(VIEW, before, view).map(({ text }) => `view ${view.id}: ${text}`),
      ),
    ],
    needsBackfill: [
      ...(cuts ? otherTzdata : []).map((text) => backfill('tzdata', `${text}, by which days are cut`)),
      ...common.flatMap(({ i, before, view }) =>
        changes(VIEW_SHAPE, before, view).map(({ field, text }) =>
          backfill(`views.${i}.${field}`, `view ${view.id}: ${text}`),
        ),
      ),
      ...otherViews(from.views, to.views),
    ],
  }
}

function changes<T>(words: Words<T>, from: T, to: T): { field: keyof T & string; text: string }[] {
  return (Object.keys(words) as (keyof T & string)[]).flatMap((field) => {
    if (sameJson(from[field], to[field])) return []
    const [name, text] = words[field]
    return [{ field, text: `${name} ${text(from[field])} → ${text(to[field])}` }]
  })
}

function sourceChanges(from: readonly SourceSpec[], to: readonly SourceSpec[]): string[] {
  const gone = from.filter((source) => !to.some((s) => s.name === source.name))
  return [
    ...to.flatMap((source) => {
      const before = from.find((s) => s.name === source.name)
      const texts = changes(SOURCE, before ?? SourceSpec.parse({ name: source.name }), source).map(
        (c) => c.text,
      )
      if (before) return texts.map((text) => `source ${source.name}: ${text}`)
      return [[`source ${source.name} added`, ...texts].join('; ')]
    }),
    ...gone.map((source) => `source ${source.name} removed`),
  ]
}

function otherViews(from: readonly ViewSpec[], to: readonly ViewSpec[]): BackfillNeeded[] {
  const [before, after] = [from.map((view) => view.id), to.map((view) => view.id)]
  const moved = !sameJson(
    before.filter((id) => after.includes(id)),
    after.filter((id) => before.includes(id)),
  )
  return [
    ...after.flatMap((id, i) => (before.includes(id) ? [] : backfill(`views.${i}`, `view ${id} is new`))),
    ...before.flatMap((id) => (after.includes(id) ? [] : backfill('views', `view ${id} is left out`))),
    // The first of equal views is the base view, so their order decides.
    ...(moved ? [backfill('views', 'the views stand in another order')] : []),
  ]
}

function backfill(path: string, what: string): BackfillNeeded {
  return { path, message: `${what}; this needs a back-fill from the journal and cannot hold at once` }
}

function isCalendar(window: WindowSpec): boolean {
  return window.kind === 'calendar' || (window.kind === 'cumulate' && window.within.kind === 'calendar')
}

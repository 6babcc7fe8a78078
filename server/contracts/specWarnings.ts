import { baseView } from './baseView'
import { ruleApplies } from './lateRules'
import type { PipelineSpec } from './pipelineSpec'
import type { SourceSpec } from './sourceSpec'
import { countText, durationText } from './specWords'
import { estimatedStateMb, largestBound, longestWait, ROW_BYTES } from './stateEstimate'
import type { Strategy } from './strategy'
import { USER_ID, type ViewSpec } from './viewSpec'

export { estimatedStateMb } from './stateEstimate'

/** A definition that works but surely disappoints, and why; the screen shows it beside the field. */
export interface SpecWarning {
  /** Field, such as `sources.2.idleTimeout`. */
  readonly path: string
  readonly message: string
}

/** Time that the server needs to see idleness: a tick a second (semantics.md §3), and one for the network; ms. */
const LEAST_IDLE_TIMEOUT = 2_000
const DAY = 86_400_000
const HOUR = 3_600_000
/** Keys a window from which days of L are worth a warning. */
const MANY_KEYS = 100_000
/** Sizes of the base window that the first result may come late before it is taken for a mistake. */
const MOST_WINDOWS_BEHIND = 60
/** Events a second, all day long, that a pipeline is expected to bear. */
const LEAST_RATE = 100

type Rule = (spec: PipelineSpec) => readonly SpecWarning[]

const RULES: readonly Rule[] = [
  shortIdleTimeout,
  idlenessOff,
  longBound,
  nothingForgiven,
  earlyInactivity,
  ageBelowWait,
  farFuture,
  driftOfNobody,
  muchState,
  fewIds,
  rulesInVain,
  rulesForAll,
]

/** Everything about a checked definition that surely disappoints; nothing for the defaults. Pure. */
export function specWarnings(spec: PipelineSpec): readonly SpecWarning[] {
  return RULES.flatMap((rule) => rule(spec))
}

type Settings = Pick<SourceSpec, 'strategy' | 'idleTimeout' | 'maxAge'>

/** A setting of the pipeline and of the sources that have their own and count, with their paths. */
function settings<K extends keyof Settings>(spec: PipelineSpec, key: K) {
  const all: { path: string; of: Settings }[] = [
    { path: key, of: spec },
    ...spec.sources.flatMap((of, i) => (of.test ? [] : [{ path: `sources.${i}.${key}`, of }])),
  ]
  return all.flatMap(({ path, of }) => {
    const value = of[key]
    return value === undefined ? [] : [{ path, value }]
  })
}

function shortIdleTimeout(spec: PipelineSpec): SpecWarning[] {
  return settings(spec, 'idleTimeout').flatMap(({ path, value }) => {
    if (value === null || value >= LEAST_IDLE_TIMEOUT) return []
    const message = `idleness is looked at once a second: under ${durationText(LEAST_IDLE_TIMEOUT)} a source is left out whenever the network pauses, and what it sends then is corrected or late`
    return [{ path, message }]
  })
}

/** Mild: where every source always speaks it is right. A source of its own with null was meant so. */
function idlenessOff(spec: PipelineSpec): SpecWarning[] {
  if (spec.idleTimeout !== null) return []
  const waited = spec.sources.filter((s) => !s.test && s.idleTimeout === undefined)
  const [first] = waited
  if (!first) return []
  const who = waited.length === 1 ? first.name : `each of ${waited.length} declared sources`
  const message = `nothing fires while ${who} is silent: with idleness off the watermark waits for it without end`
  return [{ path: 'idleTimeout', message }]
}

function longBound(spec: PipelineSpec): SpecWarning[] {
  const { window } = baseView(spec.views)
  if (window.kind !== 'tumbling') return []
  return settings(spec, 'strategy').flatMap(({ path, value }) => {
    if (value.kind !== 'bounded' || value.bound <= window.size * MOST_WINDOWS_BEHIND) return []
    const message = `windows of ${durationText(window.size)} have their first result ${durationText(value.bound)} after they end; allowedLateness corrects late orders without that wait`
    return [{ path: `${path}.bound`, message }]
  })
}

function nothingForgiven(spec: PipelineSpec): SpecWarning[] {
  if (spec.allowedLateness > 0) return []
  const strict = settings(spec, 'strategy').some(({ value }) => hasNoBound(value))
  if (!strict) return []
  const message =
    'with a bound of 0 as well, an order that another overtakes at the end of a window is late, and its money is missing until somebody puts it back'
  return [{ path: 'allowedLateness', message }]
}

function hasNoBound(strategy: Strategy): boolean {
  return strategy.kind !== 'punctuated' && largestBound(strategy) === 0
}

function earlyInactivity(spec: PipelineSpec): SpecWarning[] {
  const { closeByInactivity } = spec
  if (closeByInactivity === null) return []
  const idle = settings(spec, 'idleTimeout').flatMap(({ value }) => value ?? [])
  const bounds = settings(spec, 'strategy').map(({ value }) => (value.kind === 'bounded' ? value.bound : 0))
  const [longestIdle, longestB] = [Math.max(0, ...idle), Math.max(...bounds)]
  const path = 'closeByInactivity'
  if (closeByInactivity < longestIdle) {
    const message = `shorter than the idle timeout of ${durationText(longestIdle)}: windows fire by inactivity that would fire by the watermark once the silent sources are idle`
    return [{ path, message }]
  }
  if (closeByInactivity >= longestB) return []
  const message = `shorter than the bound of ${durationText(longestB)}: windows fire while orders that the watermark waits for are still to come, and are corrected`
  return [{ path, message }]
}

function ageBelowWait(spec: PipelineSpec): SpecWarning[] {
  const wait = longestWait(spec)
  return settings(spec, 'maxAge').flatMap(({ path, value }) => {
    if (value === null || value >= wait) return []
    const message = `orders are quarantined as too_old after ${durationText(value)}, though windows take them for ${durationText(wait)} (bound and allowed lateness)`
    return [{ path, message }]
  })
}

function farFuture(spec: PipelineSpec): SpecWarning[] {
  const { maxFutureSkew } = spec
  if (maxFutureSkew < HOUR || maxFutureSkew <= longestWait(spec)) return []
  const message = `one order from a clock that is ${durationText(maxFutureSkew)} ahead moves its source's watermark there, and orders with the right time are late for as long`
  return [{ path: 'maxFutureSkew', message }]
}

function driftOfNobody({ maxDrift, sources }: PipelineSpec): SpecWarning[] {
  if (maxDrift === null || sources.some((source) => source.pulled && !source.test)) return []
  return [
    {
      path: 'maxDrift',
      message: 'without effect: no source is pulled, and what is pushed cannot be made to wait',
    },
  ]
}

function muchState(spec: PipelineSpec): SpecWarning[] {
  if (spec.allowedLateness < DAY) return []
  const large = spec.views.filter((view) => view.time === 'event' && hasManyKeys(view)).map((view) => view.id)
  if (large.length === 0) return []
  const message = `${durationText(spec.allowedLateness)} of windows with many keys (${large.join(', ')}) stay in memory: up to ${countText(estimatedStateMb(spec))} MB, if all fill up to maxKeys at ${ROW_BYTES} bytes a row and ids up to maxLiveIds; distinct orders and buyers come on top`
  return [{ path: 'allowedLateness', message }]
}

function hasManyKeys({ groupBy, maxKeys }: ViewSpec): boolean {
  return groupBy.includes(USER_ID) || (groupBy.length > 0 && maxKeys >= MANY_KEYS)
}

function fewIds(spec: PipelineSpec): SpecWarning[] {
  const seconds = longestWait(spec) / 1_000
  const rate = Math.floor(spec.maxLiveIds / Math.max(1, seconds))
  if (rate >= LEAST_RATE) return []
  const message = `ids are kept for ${durationText(longestWait(spec))} (bound and allowed lateness): more than ${countText(rate)} events a second fill them, and ingest then answers 503`
  return [{ path: 'maxLiveIds', message }]
}

/** What cannot be recomputed cannot be re-injected, by a rule or by a person. */
function rulesInVain(spec: PipelineSpec): SpecWarning[] {
  if (!ruleApplies(spec.lateRules)) return []
  const { kind } = baseView(spec.views).window
  const sessions = spec.views.some(({ window }) => window.kind === 'session')
  if (!sessions && kind !== 'sliding' && kind !== 'cumulate') return []
  const message =
    'nothing is re-injected: sessions, and a base view of overlapping windows, cannot be recomputed once closed'
  return [{ path: 'lateRules', message }]
}

function rulesForAll({ lateRules, allowedLateness }: PipelineSpec): SpecWarning[] {
  const { reinjectUpTo, maxAmount } = lateRules
  if (maxAmount !== null && reinjectUpTo === null) {
    const message = `closed windows of any age change by themselves: every late event of up to ${maxAmount} is re-injected, however late; set reinjectUpTo as well`
    return [{ path: 'lateRules.reinjectUpTo', message }]
  }
  if (maxAmount !== null || reinjectUpTo === null || reinjectUpTo < DAY) return []
  const message = `figures of up to ${durationText(reinjectUpTo)} ago change by themselves, by any amount; a longer allowed lateness (it is ${durationText(allowedLateness)}) or maxAmount says more of what to expect`
  return [{ path: 'lateRules', message }]
}

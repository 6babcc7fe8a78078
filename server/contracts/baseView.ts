import { sameJson } from './sameJson'
import { windowText } from './specWords'
import type { ViewSpec } from './viewSpec'
import { dayStartMs, type WindowSpec } from './windowSpec'

/**
 * The view whose windows decide what is late: the finest tumbling view, or the only one (semantics.md §1). Views by
 * journal time decide nothing. undefined when no view goes by event time, which a checked spec does not have.
 */
export function findBaseView(views: readonly ViewSpec[]): ViewSpec | undefined {
  const byEventTime = views.filter((view) => view.time === 'event')
  let base: ViewSpec | undefined
  for (const view of byEventTime) {
    if (view.window.kind !== 'tumbling') continue
    if (base?.window.kind !== 'tumbling' || view.window.size < base.window.size) base = view
  }
  return base ?? byEventTime[0]
}

/** `findBaseView` of a checked spec. Throws RangeError when it has none. */
export function baseView(views: readonly ViewSpec[]): ViewSpec {
  const base = findBaseView(views)
  if (!base) throw new RangeError('a pipeline has a view by event time')
  return base
}

/** The view that the dashboard counts in: the finest tumbling one without dimensions, else the base view. */
export function totalView(views: readonly ViewSpec[]): ViewSpec {
  const totals = views.filter((view) => view.groupBy.length === 0 && view.window.kind === 'tumbling')
  return findBaseView(totals) ?? baseView(views)
}

export interface WindowProblem {
  readonly path: readonly string[]
  readonly message: string
}

/** Days of every zone on earth start at a multiple of this since 1972, so a base that divides it divides every day. */
const ZONE_GRAIN = 15 * 60_000

/**
 * Why a window is not made of whole windows of the base view, or null. Sliding windows and sessions need not be
 * (semantics.md §1, §4).
 */
export function notUnionOfBase(window: WindowSpec, base: WindowSpec): WindowProblem | null {
  if (base.kind !== 'tumbling') {
    if (sameJson(window, base)) return null
    return {
      path: [],
      message: 'without a tumbling view all views need the same window: add one, such as 1m',
    }
  }
  switch (window.kind) {
    case 'tumbling':
      return divides(window.size, window.offset, base)
    case 'calendar':
      return calendarDivides(window, base)
    case 'cumulate': {
      const { within, step } = window
      const outer =
        within.kind === 'calendar' ? calendarDivides(within, base) : divides(within.size, within.offset, base)
      if (outer) return { path: ['within', ...outer.path], message: outer.message }
      return step % base.size === 0 ? null : { path: ['step'], message: wholeWindowsOf(base) }
    }
    case 'sliding':
    case 'session':
      return null
  }
}

type Tumbling = Extract<WindowSpec, { kind: 'tumbling' }>

function divides(size: number, offset: number, base: Tumbling): WindowProblem | null {
  if (size % base.size === 0 && (offset - base.offset) % base.size === 0) return null
  return { path: [], message: wholeWindowsOf(base) }
}

function calendarDivides({ dayStart }: { dayStart: string }, base: Tumbling): WindowProblem | null {
  if (ZONE_GRAIN % base.size !== 0 || base.offset !== 0) {
    const message = `a calendar view needs a base view whose size divides 15m, without offset; it is ${windowText(base)}`
    return { path: [], message }
  }
  return dayStartMs(dayStart) % base.size === 0 ? null : { path: ['dayStart'], message: wholeWindowsOf(base) }
}

function wholeWindowsOf(base: Tumbling): string {
  return `must be a whole number of the base view's windows (${windowText(base)})`
}

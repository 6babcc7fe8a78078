import type { ViewSpec } from '../../../server/contracts/viewSpec'
import { correct } from './publish'
import { type Counted, isOther, keyOf, otherKey, type Row, type Win } from './rows'
import { idleNames } from './sources'
import type { Span } from './spans'
import { type State, specOf, type View } from './state'

/** A window that comes to be when the watermark has reached its end is born fired (semantics.md §4). */
export function open(state: State, view: View, span: Span): Win {
  const fired = specOf(state, view).time === 'event' && state.W >= span.end - 1
  if (fired) state.reached.add('born fired')
  const win: Win = {
    view: view.id,
    ...span,
    lateness: state.spec.allowedLateness,
    fired,
    byInactivity: false,
    leftOut: fired ? idleNames(state) : [],
    state: 'live',
    rows: new Map(),
  }
  view.live.set(win.id, win)
  view.all.push(win)
  return win
}

/** Counts an event in the windows of one view that it is given. True where one of them had fired. */
export function countIn(state: State, view: View, spans: readonly Span[], event: Counted): boolean {
  const spec = specOf(state, view)
  const wins = spans.map((span) => view.live.get(span.id) ?? open(state, view, span))
  const alone = spec.window.kind === 'tumbling' || spec.window.kind === 'calendar'
  const key = admit(spec, alone ? wins : keysTogether(view), event)
  for (const win of wins) addTo(state, win, key, event)
  return wins.some((win) => win.fired)
}

/** An event into a row of a window: told at once, at the record's end, or not before the window fires. */
export function addTo(state: State, win: Win, key: string, event: Counted): void {
  const row: Row = win.rows.get(key) ?? { key, events: [], revision: 0, published: null, pending: null }
  win.rows.set(key, row)
  row.events.push(event)
  if (isOther(key)) {
    event.overflowed = true
    state.told.overflowed.push(win.view)
  }
  if (win.fired) correct(state, win, row)
}

/**
 * The key that an event is counted under: its own while it is there already or fewer than `maxKeys` are, in one window
 * or among all live ones of a view whose windows share their keys (decision 28); else `__other__`.
 */
export function admit(view: ViewSpec, among: readonly Win[], event: Counted): string {
  const key = keyOf(view, event.item)
  if (view.groupBy.length === 0) return key
  const known = new Set(among.flatMap((win) => [...win.rows.keys()]).filter((k) => !isOther(k)))
  return known.has(key) || known.size < view.maxKeys ? key : otherKey(view, event.item)
}

/**
 * Windows that overlap share their keys: those of the live ones, and of the closed ones that end later than a live one
 * (after L was lowered a later window can close before an earlier one; keys are let go in the order of ends).
 */
function keysTogether(view: View): Win[] {
  const first = Math.min(...[...view.live.values()].map((win) => win.end))
  return view.all.filter((win) => win.end >= first)
}

export function liveOf(view: View): Win[] {
  return [...view.live.values()].sort((a, b) => a.end - b.end || a.id - b.id)
}

export function eventViews(state: State): View[] {
  return state.views.filter((view) => specOf(state, view).time === 'event')
}

import type { WindowSpec } from '../../../server/contracts/windowSpec'
import { publish } from './publish'
import type { Win } from './rows'
import { combined, idleNames } from './sources'
import { lastSpan } from './spans'
import { type State, specOf, type View } from './state'
import { eventViews, liveOf } from './windows'

/** The view that decides what is late: the finest tumbling one by event time, or the only kind there is. */
export function baseOf(state: State): View {
  const views = eventViews(state)
  const size = (view: View) => {
    const { window } = specOf(state, view)
    return window.kind === 'tumbling' ? window.size : Number.POSITIVE_INFINITY
  }
  const [base] = views.toSorted((a, b) => size(a) - size(b))
  if (!base) throw new RangeError('no view by event time')
  return base
}

/** W from the sources, if that is more than it was; windows fire and close. */
export function followSources(state: State): void {
  const W = combined(state)
  if (W > state.W) moveTo(state, W)
}

export function moveTo(state: State, W: number): void {
  if (W < state.W) throw new RangeError(`the watermark of the model went back: ${state.W} to ${W}`)
  state.W = W
  state.moment++
  for (const view of eventViews(state)) {
    for (const win of liveOf(view)) if (W >= win.end - 1) fire(state, win)
  }
  closeDue(state)
}

function fire(state: State, win: Win): void {
  if (win.fired && !win.byInactivity) return
  if (win.fired) state.reached.add('reached after inactivity')
  for (const row of win.rows.values()) {
    if (win.fired && row.pending === null) continue
    if (win.fired) state.reached.add('on-time after inactivity')
    publish(state, win, row, 'on-time')
  }
  win.fired = true
  win.byInactivity = false
  win.leftOut = idleNames(state)
}

/** What is closed by now: windows of the base view by their own L, those of other views by the base (decision 17). */
export function closeDue(state: State): void {
  const base = baseOf(state)
  const kind = specOf(state, base).window.kind
  state.horizon = Math.max(state.horizon, state.W - state.spec.allowedLateness + 1)
  for (const view of kind === 'tumbling' ? [base] : eventViews(state)) {
    for (const win of liveOf(view)) {
      if (state.W < win.end - 1 + win.lateness) continue
      state.horizon = Math.max(state.horizon, win.end)
      close(state, view, win)
    }
  }
  if (kind !== 'tumbling') return
  for (const view of eventViews(state)) {
    if (view === base) continue
    for (const win of liveOf(view)) if (isOver(state, base, view, win)) close(state, view, win)
  }
}

function isOver(state: State, base: View, view: View, win: Win): boolean {
  // An event at the very end of a session would touch it, so that instant is one of its own.
  const last = specOf(state, view).window.kind === 'session' ? win.end : win.end - 1
  const window: WindowSpec = specOf(state, base).window
  if (state.horizon < lastSpan(window, last).end) return false
  const open = [...base.live.values()].some((b) => b.start <= last && b.end > win.start)
  if (open) state.reached.add('held open by a base window')
  return !open
}

function close(state: State, view: View, win: Win): void {
  if (!win.fired) throw new RangeError(`the model closed ${win.view}@${win.id} before it fired`)
  win.state = 'closed'
  view.live.delete(win.id)
  state.told.closed.push(`${win.view}@${win.id}`)
}

/** Views by journal time: their windows fire and close when journal time has reached the end (decision 20). */
export function journalViews(state: State): void {
  state.moment++
  for (const view of state.views) {
    if (specOf(state, view).time !== 'journal') continue
    for (const win of liveOf(view)) {
      if (state.at < win.end) continue
      fire(state, win)
      close(state, view, win)
      state.reached.add('journal view')
    }
  }
}

/** After a silence: everything that is open fires as it is; the watermark stays (decision 14). */
export function fireSilent(state: State): void {
  state.moment++
  for (const view of eventViews(state)) {
    for (const win of liveOf(view)) {
      if (win.fired) continue
      for (const row of win.rows.values()) publish(state, win, row, 'inactivity')
      win.fired = true
      win.byInactivity = true
      win.leftOut = idleNames(state)
    }
  }
}

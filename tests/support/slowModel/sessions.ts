import { publish } from './publish'
import type { Counted, Row, Win } from './rows'
import { type State, specOf, type View } from './state'
import { addTo, admit, liveOf, open } from './windows'

interface Place {
  readonly key: string
  readonly start: number
  readonly end: number
  /** Live sessions of its key that it overlaps or touches, in order of their numbers. */
  readonly joined: readonly Win[]
}

/** Where an event would go in a session view (decision 22). */
export function placeOf(state: State, view: View, event: Counted): Place {
  const spec = specOf(state, view)
  if (spec.window.kind !== 'session') throw new RangeError(`${view.id} has no sessions`)
  const key = admit(spec, [...view.live.values()], event)
  const start = event.item.ts
  const end = start + spec.window.gap
  const touched = liveOf(view).filter((s) => s.rows.has(key) && start <= s.end && s.start <= end)
  return { key, start, end, joined: touched.sort((a, b) => a.id - b.id) }
}

/** Counts an event in its session. True where that is a correction (decision 25). */
export function countInSession(state: State, view: View, event: Counted): boolean {
  const place = placeOf(state, view, event)
  const { key, joined } = place
  const start = Math.min(place.start, ...joined.map((s) => s.start))
  const end = Math.max(place.end, ...joined.map((s) => s.end))
  const published = joined.filter((s) => s.rows.get(key)?.published != null)
  const fired = state.W >= end - 1
  // A session that was published and has not come to its end after all is taken back, and begins anew.
  const kept = fired ? (published[0] ?? joined[0]) : published.length > 0 ? undefined : joined[0]
  const events = joined.filter((s) => s !== kept).flatMap((s) => s.rows.get(key)?.events ?? [])
  // A fresh session comes to be now, so the L in force holds for it too.
  const lateness = Math.max(...joined.map((s) => s.lateness), ...(kept ? [] : [state.spec.allowedLateness]))
  for (const session of joined) if (session !== kept) swallow(state, view, session)
  const session = kept ?? open(state, view, { id: view.all.length + 1, start, end })
  session.start = start
  session.end = end
  session.lateness = lateness
  if (joined.length > 1) state.reached.add('sessions merged')
  if (published.length > 1)
    state.reached.add(fired ? 'fired sessions merged' : 'published sessions taken back')
  moveIn(state, session, key, [...events, event])
  return fired || published.length > 0
}

/** All of them at once: it is one change of the row. */
function moveIn(state: State, session: Win, key: string, events: readonly Counted[]): void {
  const last = events.at(-1)
  if (!last) return
  const row: Row = session.rows.get(key) ?? { key, events: [], revision: 0, published: null, pending: null }
  session.rows.set(key, row)
  row.events.push(...events.slice(0, -1))
  for (const event of [...row.events, last])
    event.base = event.base.map((w) => (w.state === 'superseded' ? session : w))
  addTo(state, session, key, last)
}

/** It is part of another now. What it had published is taken back, so that no order is on the screen twice. */
function swallow(state: State, view: View, session: Win): void {
  session.state = 'superseded'
  view.live.delete(session.id)
  for (const row of session.rows.values()) {
    row.pending = null
    state.pending.delete(row)
    if (row.published !== null) publish(state, session, row, 'superseded')
    else state.reached.add('swallowed untold')
  }
}

import { type Row, valuesOf, type Win, ZEROS } from './rows'
import { finite, type State } from './state'

/** Writes a revision of a row that says what its events add up to now (of a superseded one: nothing). */
export function publish(state: State, win: Win, row: Row, kind: string, watermark = state.W): void {
  const after = win.state === 'superseded' ? ZEROS : valuesOf(row)
  row.revision++
  state.told.revisions.push({
    moment: state.moment,
    view: win.view,
    windowId: win.id,
    start: win.start,
    end: win.end,
    key: row.key,
    revision: row.revision,
    kind,
    before: row.published,
    after,
    watermark: finite(watermark),
  })
  row.published = after
  row.pending = null
  state.pending.delete(row)
  state.reached.add(kind)
}

/** An event was counted in a window that had fired: a first value is told at once, a change when it is time to. */
export function correct(state: State, win: Win, row: Row): void {
  if (row.published === null || state.spec.coalesce === 'event') {
    if (row.published === null) state.reached.add('correction from zero')
    publish(state, win, row, 'correction')
    return
  }
  row.pending = state.W
  state.pending.set(row, win)
}

/** At the end of a record: one revision for all corrections of a row (semantics.md §4, coalescing). */
export function flush(state: State): void {
  state.moment++
  for (const [row, win] of state.pending) {
    if (win.state === 'closed') state.reached.add('closed with a correction untold')
    publish(state, win, row, 'correction', row.pending ?? state.W)
  }
}

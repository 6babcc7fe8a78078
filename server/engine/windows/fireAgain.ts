import { sameValues } from '../aggregate/measures'
import type { Emitter } from '../emitter'
import type { Passing } from './view'
import type { WindowState } from './windowState'

/**
 * The watermark reached the end of a window that inactivity had fired: the flag goes, and rows whose values are not
 * the published ones are published `on-time` (semantics.md §3, closeByInactivity).
 */
export function fireAgain(window: WindowState, passing: Passing, emit: Emitter): void {
  window.byInactivity = false
  window.leftOut = passing.leftOut
  for (let i = 0; i < window.cells.count; i++) {
    const published = window.cells.published(i)
    const waits = window.pending.get(i)
    if (published && sameValues(published, window.valuesOf(i))) emit.touch(window, i)
    else {
      const { at, watermark } = passing
      emit.publish(window, i, { kind: 'on-time', at, watermark, eventCount: waits?.count ?? 0 })
    }
    // What waited is told by this revision; a correction of nothing would follow otherwise.
    window.pending.delete(i)
  }
}

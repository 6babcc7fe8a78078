import { CellTable } from '../aggregate/cellTable'
import type { WindowBirth, WindowOf, WindowState } from '../windows/windowState'
import type { SegmentReader, SegmentWriter } from './segment'

/** What all kinds of windows have in common. Nothing waits to be published between two records. */
export function saveWindow(window: WindowState, out: SegmentWriter): void {
  out.number(window.start).number(window.end).number(window.windowId).number(window.ordinal)
  out.number(window.lateness)
  out.flag(window.fired).flag(window.closed).flag(window.byInactivity).texts(window.leftOut)
  const { count, cells, published } = window.cells.save()
  out
    .number(count)
    .column(cells)
    .flag(published !== null)
  if (published) out.column(published)
}

export function readBirth(of: WindowOf, from: SegmentReader): WindowBirth {
  return {
    of,
    start: from.number(),
    end: from.number(),
    windowId: from.number(),
    ordinal: from.number(),
    lateness: from.number(),
  }
}

export function restoreWindow(window: WindowState, from: SegmentReader): void {
  window.fired = from.flag()
  window.closed = from.flag()
  window.byInactivity = from.flag()
  window.leftOut = from.texts()
  window.cells = CellTable.restore({
    count: from.number(),
    cells: from.doubles(),
    published: from.flag() ? from.doubles() : null,
  })
}

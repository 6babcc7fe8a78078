import { otherKey } from '../aggregate/batchKeys'
import { type Cell, type CellKey, type CellWindow, newCell } from '../aggregate/cell'
import { PairSet } from '../aggregate/pairSet'

/** One window of one view that is not closed. */
export interface WindowState extends CellWindow {
  /** Number of the window within the engine, from 1: what the ids counted in it are kept under. */
  readonly ordinal: number
  readonly cells: Map<string, Cell>
}

export function newWindow(
  view: string,
  version: number,
  start: number,
  end: number,
  ordinal: number,
): WindowState {
  return {
    view,
    version,
    start,
    end,
    ordinal,
    fired: false,
    closed: false,
    leftOut: [],
    cells: new Map(),
    distinct: new PairSet(),
  }
}

/** The row that counts `key`; `__other__` when the window already holds `maxKeys` others (semantics.md §8). */
export function cellFor(window: WindowState, key: CellKey, maxKeys: number): Cell {
  const cell = window.cells.get(key.text)
  if (cell) return cell
  if (window.cells.size >= maxKeys) {
    const other = otherKey(key)
    // A view without dimensions has a key per currency only; there is nothing to fold into.
    if (other.text !== key.text) return window.cells.get(other.text) ?? addCell(window, other)
  }
  return addCell(window, key)
}

function addCell(window: WindowState, key: CellKey): Cell {
  const cell = newCell(window, window.cells.size, key)
  window.cells.set(key.text, cell)
  return cell
}

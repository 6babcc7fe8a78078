import type { WindowStatus } from '../../contracts/windowRow'
import { CellTable } from '../aggregate/cellTable'
import type { MeasureValues, Row, RowGroup, RowKeyParts } from '../row'

/** Events of one record that changed a published row, not yet made into a revision. */
export interface PendingCorrection {
  count: number
  /** Rows of the record's batch, up to 20. */
  readonly rows: number[]
  /** Journal time and watermark under which the last of them was counted. */
  at: number
  watermark: number
}

export interface WindowOf {
  readonly view: string
  readonly version: number
}

/** What tells a window from all others, and when it counts as closed. */
export interface WindowBirth {
  readonly of: WindowOf
  readonly start: number
  readonly end: number
  readonly windowId: number
  /** Number of the window within the pipeline, from 1: what the ids counted in it are kept under. */
  readonly ordinal: number
  /** L under which it was made, ms. */
  readonly lateness: number
}

/**
 * One window of one view that is not closed: *open*, then *fired*, then *closed* and forgotten. A session may also be
 * *superseded*, and its start and end move while it is open. What its rows count, and under which keys, is the
 * business of the kind of window.
 */
export abstract class WindowState implements RowGroup {
  readonly of: WindowOf
  start: number
  end: number
  readonly windowId: number
  readonly ordinal: number
  readonly lateness: number
  fired = false
  closed = false
  superseded = false
  /** It fired because everybody was silent; the watermark is not there yet. */
  byInactivity = false
  /** Sources that were idle when it fired. */
  leftOut: readonly string[] = []
  cells = new CellTable()
  readonly pending = new Map<number, PendingCorrection>()

  constructor(birth: WindowBirth) {
    this.of = birth.of
    this.start = birth.start
    this.end = birth.end
    this.windowId = birth.windowId
    this.ordinal = birth.ordinal
    this.lateness = birth.lateness
  }

  /** Closed when `W >= end - 1 + L` (semantics.md §4). */
  get closesAt(): number {
    return this.end - 1 + this.lateness
  }

  abstract keyOf(ordinal: number): RowKeyParts

  protected abstract sketchesOf(ordinal: number): Row['sketches']

  /** Values of a row as of now. */
  valuesOf(ordinal: number): MeasureValues {
    return this.cells.values(ordinal)
  }

  /** Brings the row's cells up to its values, where those stand elsewhere. */
  settle(_ordinal: number): void {}

  isPublished(_ordinal: number): boolean {
    return this.fired || this.superseded
  }

  row(ordinal: number): Row {
    const { of, start, end, windowId, byInactivity, leftOut, cells } = this
    return {
      ...of,
      start,
      end,
      windowId,
      key: this.keyOf(ordinal),
      status: this.#status,
      byInactivity,
      leftOut,
      revision: cells.revision(ordinal),
      firedAt: cells.firedAt(ordinal),
      values: this.valuesOf(ordinal),
      sketches: this.fired ? this.sketchesOf(ordinal) : null,
    }
  }

  get #status(): WindowStatus {
    if (this.superseded) return 'superseded'
    if (this.closed) return 'closed'
    return this.fired ? 'fired' : 'open'
  }
}

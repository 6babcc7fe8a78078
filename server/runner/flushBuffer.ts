import type { Flush } from '../contracts/flush'
import { finiteOrNull } from '../contracts/instant'
import type { JournalRecord } from '../contracts/journalRecord'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { WindowRow } from '../contracts/windowRow'
import type { StepOutcome } from '../engine/outcome'
import type { RowGroup, TouchedRows } from '../engine/row'
import type { EngineState } from '../engine/state'
import { FlushLists } from './flushLists'
import { toWindowRow } from './materialize'
import { RowSet } from './rowSet'
import { sourceSnapshots } from './status'

/** Totals of open windows are written at most once in this time, ms (design.md §1.4). */
export const OPEN_TOTALS_EVERY = 1_000

/**
 * What the records since the last flush did. Published rows are written with the next flush; running totals of open
 * windows are shown with the next flush and written once a second, since each write of a row costs Postgres a
 * version of it and nobody reads them from there but a page that is just opened.
 */
export class FlushBuffer {
  #lists = new FlushLists()
  readonly #published = new RowSet()
  /** Open rows changed since they were last shown, all of them among those changed since they were last written. */
  readonly #toShow = new RowSet()
  readonly #toWrite = new RowSet()
  #openWrittenAt = 0
  #records = 0

  /** Records folded since the last flush. */
  get records(): number {
    return this.#records
  }

  /** Rows that the next transaction will write at least. */
  get size(): number {
    return this.#published.size + this.#lists.size
  }

  /** Takes in what a record did; `inForce` is the definition that it put in force, null for most. */
  add(record: JournalRecord, outcome: StepOutcome, inForce: PipelineSpec | null): void {
    this.#records++
    this.#lists.add(record, outcome, inForce)
    this.#touchAll(outcome.touched)
  }

  /** Every row that is not published is written again: after a restart the stored totals may be old. */
  rewriteOpen(rows: Iterable<TouchedRows>): void {
    for (const { group, ordinals } of rows) {
      for (const ordinal of ordinals) if (!group.isPublished(ordinal)) this.#touch(group, ordinal)
    }
  }

  /** Open rows are no longer those of the state: views took the place of others. */
  forgetOpen(): void {
    this.#toShow.clear()
    this.#toWrite.clear()
  }

  /** Open totals wait to be written, though no new record came. */
  get pendingTotals(): boolean {
    return this.#toWrite.size > 0
  }

  /**
   * Empties the buffer into one transaction's worth, and what pages are to be shown beside it: rows without their
   * sketches, which are many bytes that no page draws.
   */
  take(state: EngineState, prev: number, now: number): { flush: Flush; shown: readonly WindowRow[] } {
    const published = rowsOf(this.#published, state)
    const totalsDue = now - this.#openWrittenAt >= OPEN_TOTALS_EVERY
    const open = rowsOf(totalsDue ? this.#toWrite : this.#toShow, state)
    const shown = [...published.map(withoutSketches), ...open]
    if (totalsDue) {
      this.#openWrittenAt = now
      this.#toWrite.clear()
    }
    const flush: Flush = {
      prev,
      position: state.position,
      at: state.at,
      watermark: finiteOrNull(state.clock.watermark),
      rows: totalsDue ? [...published, ...open] : published,
      ...this.#lists.taken(),
      sources: sourceSnapshots(state),
      counts: { ...state.counts },
    }
    this.#clear()
    return { flush, shown }
  }

  #touchAll(touched: readonly TouchedRows[]): void {
    for (const { group, ordinals } of touched) for (const ordinal of ordinals) this.#touch(group, ordinal)
  }

  #touch(group: RowGroup, ordinal: number): void {
    if (group.isPublished(ordinal)) {
      this.#published.add(group, ordinal)
      this.#toShow.delete(group, ordinal)
      this.#toWrite.delete(group, ordinal)
    } else {
      this.#toShow.add(group, ordinal)
      this.#toWrite.add(group, ordinal)
    }
  }

  #clear(): void {
    this.#records = 0
    this.#lists = new FlushLists()
    this.#published.clear()
    this.#toShow.clear()
  }
}

function rowsOf(set: RowSet, state: EngineState): WindowRow[] {
  return Array.from(set.rows(), (row) => toWindowRow(row, state))
}

function withoutSketches(row: WindowRow): WindowRow {
  return row.sketches === null ? row : { ...row, sketches: null }
}

import type { ClosedWindow, Flush, QuarantinedEvent, SpecInForce } from '../contracts/flush'
import { finiteOrNull } from '../contracts/instant'
import type { JournalRecord } from '../contracts/journalRecord'
import type { LateEvent, Revision, WindowRow } from '../contracts/windowRow'
import type { Cell } from '../engine/aggregate/cell'
import type { StepOutcome } from '../engine/outcome'
import type { EngineState } from '../engine/state'
import { toLateEvent, toWindowRow } from './materialize'
import { sourceSnapshots } from './status'

/** Totals of open windows are written at most once in this time, ms (design.md §1.4). */
export const OPEN_TOTALS_EVERY = 1_000

/**
 * What the records since the last flush did. Published rows are written with the next flush; running totals of open
 * windows are shown with the next flush and written once a second, since each write of a row costs Postgres a
 * version of it and nobody reads them from there but a page that is just opened.
 */
export class FlushBuffer {
  #revisions: Revision[] = []
  #closed: ClosedWindow[] = []
  #late = new Map<string, LateEvent>()
  #quarantined: QuarantinedEvent[] = []
  #specs: SpecInForce[] = []
  #published = new Set<Cell>()
  /** Open rows changed since they were last shown, and since they were last written. */
  #toShow = new Set<Cell>()
  #toWrite = new Set<Cell>()
  #openWrittenAt = 0
  #records = 0

  /** Records folded since the last flush. */
  get records(): number {
    return this.#records
  }

  /** Rows that the next transaction will write at least. */
  get size(): number {
    return (
      this.#published.size +
      this.#revisions.length +
      this.#late.size +
      this.#quarantined.length +
      this.#closed.length
    )
  }

  add(record: JournalRecord, outcome: StepOutcome): void {
    this.#records++
    this.#revisions.push(...outcome.revisions)
    this.#closed.push(...outcome.closed)
    for (const cell of outcome.touched) this.#touch(cell)
    if (record.kind === 'spec')
      this.#specs.push({ spec: record.spec, position: record.position, at: record.at })
    if (record.kind !== 'events') return
    for (const late of outcome.late) this.#addLate(toLateEvent(late, record.batch, record))
    for (const rejected of record.rejected) {
      this.#quarantined.push({ ...rejected, receivedAt: record.at, position: record.position })
    }
  }

  /** Every row of a window that is not fired is written again: after a restart the stored totals may be old. */
  rewriteOpen(cells: Iterable<Cell>): void {
    for (const cell of cells) this.#touch(cell)
  }

  /** Open totals wait to be written, though no new record came. */
  get pendingTotals(): boolean {
    return this.#toWrite.size > 0
  }

  /** Empties the buffer into one transaction's worth, and what pages are to be shown beside it. */
  take(state: EngineState, prev: number, now: number): { flush: Flush; shown: readonly WindowRow[] } {
    const rows = new Map<Cell, WindowRow>()
    for (const cell of this.#published) rows.set(cell, toWindowRow(cell, state))
    if (now - this.#openWrittenAt >= OPEN_TOTALS_EVERY) {
      this.#openWrittenAt = now
      for (const cell of this.#toWrite) rows.set(cell, toWindowRow(cell, state))
      this.#toWrite.clear()
    }
    const written = [...rows.values()]
    const shown = [...written]
    for (const cell of this.#toShow) if (!rows.has(cell)) shown.push(toWindowRow(cell, state))
    const flush: Flush = {
      prev,
      position: state.position,
      at: state.at,
      watermark: finiteOrNull(state.clock.watermark),
      rows: written,
      revisions: this.#revisions,
      closed: this.#closed,
      late: [...this.#late.values()],
      quarantined: this.#quarantined,
      specs: this.#specs,
      sources: sourceSnapshots(state),
      counts: { ...state.counts },
    }
    this.#clear()
    return { flush, shown }
  }

  #touch(cell: Cell): void {
    if (cell.window.fired) {
      this.#published.add(cell)
      this.#toWrite.delete(cell)
    } else {
      this.#toShow.add(cell)
      this.#toWrite.add(cell)
    }
  }

  #addLate(event: LateEvent): void {
    const id = `${event.source}\n${event.eventId}`
    const known = this.#late.get(id)
    this.#late.set(id, known ? { ...known, seen: known.seen + 1 } : event)
  }

  #clear(): void {
    this.#records = 0
    this.#revisions = []
    this.#closed = []
    this.#late = new Map()
    this.#quarantined = []
    this.#specs = []
    this.#published.clear()
    this.#toShow.clear()
  }
}

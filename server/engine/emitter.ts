import type { EventBatch } from '../contracts/eventBatch'
import type { Notice, NoticeKind } from '../contracts/notice'
import type { RevisionKind } from '../contracts/windowRow'
import { emptyOutcome, type StepOutcome } from './outcome'
import { type Publication, Publications } from './publications'
import type { PendingCorrection, WindowState } from './windows/windowState'

/** Ids that a revision names at most. */
const MOST_IDS = 20

/** When a change is published: journal time in ms, and the watermark then. */
export interface Moment {
  readonly at: number
  readonly watermark: number
}

/** Collects what one record does to the outside (semantics.md §4, fires, corrected, coalescing). */
export class Emitter {
  readonly outcome: StepOutcome
  readonly position: number
  #published: Publications | null = null
  /** Views in which an event was counted under `__other__`. */
  readonly overflowed = new Set<string>()
  #touched = new Map<WindowState, number[]>()
  #lastTouched: WindowState | null = null
  #lastRows: number[] = []
  #pending: [WindowState, number][] = []

  constructor(position: number) {
    this.position = position
    this.outcome = emptyOutcome(() => this.#published?.toRevisions(position) ?? [])
  }

  /** Lists a row among those that this record changed, once. */
  touch(window: WindowState, ordinal: number): void {
    if (!window.cells.touch(ordinal, this.position)) return
    if (window !== this.#lastTouched) this.#turnTo(window)
    this.#lastRows.push(ordinal)
  }

  #turnTo(window: WindowState): void {
    let rows = this.#touched.get(window)
    if (!rows) {
      rows = []
      this.#touched.set(window, rows)
      this.outcome.touched.push({ group: window, ordinals: rows })
    }
    this.#lastTouched = window
    this.#lastRows = rows
  }

  /** All rows of a window are published with the values they have: it fires. */
  fire(window: WindowState, kind: RevisionKind, moment: Moment): void {
    const { at, watermark } = moment
    this.#publications().reserve(window.cells.count)
    for (let i = 0; i < window.cells.count; i++) {
      window.settle(i)
      this.#publish(window, i, { kind, at, watermark, eventCount: window.cells.events(i) })
    }
  }

  /** Publishes a row's present values: its next revision. */
  publish(window: WindowState, ordinal: number, publication: Publication): void {
    window.settle(ordinal)
    this.#publish(window, ordinal, publication)
  }

  #publish(window: WindowState, ordinal: number, publication: Publication): void {
    this.#publications().add(window, window.cells, ordinal, publication)
    this.touch(window, ordinal)
  }

  #publications(): Publications {
    this.#published ??= new Publications()
    return this.#published
  }

  /**
   * An event was counted in a row that is published. A key's first event after its window fired is published by
   * itself, a correction from zero (semantics.md §4); what follows within the record is coalesced. So the first value
   * of a row does not depend on how records are cut.
   */
  correct(window: WindowState, ordinal: number, batch: EventBatch, row: number, watermark: number): void {
    let pending = window.pending.get(ordinal)
    if (!pending) {
      pending = { count: 0, rows: [], at: 0, watermark: 0 }
      window.pending.set(ordinal, pending)
      this.#pending.push([window, ordinal])
    }
    pending.count++
    if (pending.rows.length < MOST_IDS) pending.rows.push(row)
    pending.at = batch.journalTime[row] ?? 0
    // Not that of the record's end: by then the window may have closed, which a correction of it would contradict.
    pending.watermark = watermark
    if (window.cells.revision(ordinal) === 0) this.publishPending(window, ordinal, batch)
  }

  /** What waited in a row that was swallowed is told by the correction of the one that took it in. */
  carryOver(window: WindowState, waits: PendingCorrection): void {
    const pending = window.pending.get(0)
    if (!pending) {
      window.pending.set(0, waits)
      this.#pending.push([window, 0])
      return
    }
    pending.count += waits.count
    pending.rows.push(...waits.rows.slice(0, MOST_IDS - pending.rows.length))
  }

  /** Publishes what the record's events changed so far: one revision a row, however many events there were. */
  publishAllPending(batch: EventBatch): void {
    if (this.#pending.length === 0) return
    for (const [window, ordinal] of this.#pending) this.publishPending(window, ordinal, batch)
    this.#pending = []
  }

  /** Publishes what waits for one row, if anything does. */
  publishPending(window: WindowState, ordinal: number, batch: EventBatch): void {
    const pending = window.pending.get(ordinal)
    if (!pending) return
    window.pending.delete(ordinal)
    const { at, watermark, count, rows } = pending
    this.publish(window, ordinal, { kind: 'correction', at, watermark, eventCount: count, rows, batch })
  }

  close(window: WindowState): void {
    window.closed = true
    this.outcome.closed.push({ ...window.of, windowId: window.windowId })
  }

  notice(kind: NoticeKind, subject: string, at: number): void {
    const notice: Notice = { kind, subject, at, position: this.position }
    this.outcome.notices.push(notice)
  }
}

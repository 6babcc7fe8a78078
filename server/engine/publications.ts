import type { EventBatch } from '../contracts/eventBatch'
import { finiteOrNull } from '../contracts/instant'
import { stringAt } from '../contracts/stringTable'
import type { Revision, RevisionKind } from '../contracts/windowRow'
import { type CellTable, MEASURES, valuesAt } from './aggregate/cellTable'
import { deltaNet, toMeasures } from './aggregate/measures'
import type { WindowState } from './windows/windowState'

/** Numbers of a publication, side by side: these, then the values before and after. */
const ORDINAL = 0
const KIND = 1
const REVISION = 2
const AT = 3
const WATERMARK = 4
const EVENTS = 5
/** A session's may move later. */
const START = 6
const END = 7
const BEFORE = 8
const AFTER = BEFORE + MEASURES
const WIDTH = AFTER + MEASURES

const KINDS: readonly RevisionKind[] = ['on-time', 'correction', 'reconciled', 'superseded', 'inactivity']
const NO_IDS: readonly string[] = []

/** What a change is published with: journal time in ms, the watermark then, and the events behind it. */
export interface Publication {
  readonly kind: RevisionKind
  readonly at: number
  readonly watermark: number
  readonly eventCount: number
  /** Which of them a revision names, and the batch that they are rows of. */
  readonly rows?: readonly number[]
  readonly batch?: EventBatch
  /** Who told the engine to; left out for what it does by itself. */
  readonly by?: string
}

/**
 * What one record published, as numbers: a window of a hundred thousand keys fires without making as many objects.
 * They become revisions when somebody asks for them.
 */
export class Publications {
  #numbers = new Float64Array(0)
  #windows: WindowState[] = []
  readonly #rows = new Map<number, readonly number[]>()
  #batch: EventBatch | null = null
  /** Who gave the record's command: the name on every `reconciled` one. */
  #by: string | null = null

  /** Makes room for `count` more. */
  reserve(count: number): void {
    const needed = (this.#windows.length + count) * WIDTH
    if (needed > this.#numbers.length) this.#grow(Math.max(needed, this.#numbers.length * 2))
  }

  /** The row's present values become its published ones; what both were is noted. */
  add(window: WindowState, cells: CellTable, ordinal: number, publication: Publication): void {
    const at = this.#windows.length * WIDTH
    this.reserve(1)
    const numbers = this.#numbers
    numbers[at + ORDINAL] = ordinal
    numbers[at + KIND] = KINDS.indexOf(publication.kind)
    numbers[at + AT] = publication.at
    numbers[at + WATERMARK] = publication.watermark
    numbers[at + EVENTS] = publication.eventCount
    numbers[at + START] = window.start
    numbers[at + END] = window.end
    numbers[at + REVISION] = cells.publish(ordinal, publication.at, numbers, at + BEFORE, at + AFTER)
    if (publication.rows && publication.batch) {
      this.#rows.set(this.#windows.length, publication.rows)
      this.#batch = publication.batch
    }
    if (publication.by !== undefined) this.#by = publication.by
    this.#windows.push(window)
  }

  /** All of it in words, in the order in which it happened. `position`: that of the record. */
  toRevisions(position: number): Revision[] {
    return this.#windows.map((window, i) => this.#toRevision(window, i, position))
  }

  #toRevision(window: WindowState, i: number, pos: number): Revision {
    const numbers = this.#numbers
    const number = (k: number) => numbers[i * WIDTH + k] ?? 0
    const revision = number(REVISION)
    const was = revision === 1 ? null : valuesAt(numbers, i * WIDTH + BEFORE)
    const is = valuesAt(numbers, i * WIDTH + AFTER)
    const after = toMeasures(is)
    const [start, end, at] = [number(START), number(END), number(AT)]
    const { currency, dims } = window.keyOf(number(ORDINAL))
    const kind = KINDS[number(KIND)] ?? 'correction'
    return {
      view: window.of.view,
      version: window.of.version,
      start,
      end,
      windowId: window.windowId,
      currency,
      dims,
      revision,
      kind,
      before: was && toMeasures(was),
      after,
      deltaNet: was ? deltaNet(was, is) : after.net,
      eventCount: number(EVENTS),
      eventIds: this.#idsOf(i),
      lateBy: Math.max(0, at - end),
      watermark: finiteOrNull(number(WATERMARK)),
      at,
      pos,
      by: kind === 'reconciled' ? this.#by : null,
    }
  }

  #idsOf(i: number): readonly string[] {
    const [rows, batch] = [this.#rows.get(i), this.#batch]
    return rows && batch ? rows.map((row) => stringAt(batch.strings, batch.eventId[row] ?? 0)) : NO_IDS
  }

  #grow(length: number): void {
    const grown = new Float64Array(length)
    grown.set(this.#numbers)
    this.#numbers = grown
  }
}

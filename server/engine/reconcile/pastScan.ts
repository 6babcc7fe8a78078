import type { EventBatch } from '../../contracts/eventBatch'
import { ORDER } from '../../contracts/eventBatch'
import { type BatchKeys, KeysByGrouping } from '../aggregate/batchKeys'
import { hashTable } from '../aggregate/hash128'
import { Scratch } from '../scratch'
import type { Scope } from '../windows/view'
import { pastName } from './hydration'
import type { PastRow } from './pastRow'
import { type Segment, segmentsOf } from './segments'

/** A record of the journal, and which of its events are in the figures as of the command. */
export interface PastRecord {
  readonly position: number
  readonly batch: EventBatch
  counted(row: number): boolean
  /** It was counted as a correction when it came. */
  corrected(row: number): boolean
}

/** What is looked for in the journal: the scopes of one view. */
export interface Searched {
  readonly byJournal: boolean
  readonly groupBy: readonly string[]
  readonly scopes: readonly Scope[]
}

/** Stretch of time `[from, to)`, ms. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

interface Search extends Searched {
  readonly segments: readonly Segment[]
}

/**
 * Passes once over the journal's records and adds their counted events to the rows that a command touches. One pass
 * serves all scopes of all views of one kind of time; memory is that of the touched rows, however many events go by.
 */
export class PastScan {
  readonly #searches: readonly Search[]
  readonly #past: ReadonlyMap<string, PastRow>
  /** Rows that the command voids, by position. */
  readonly #voided: ReadonlyMap<number, ReadonlySet<number>>
  readonly #scratch = new Scratch()

  constructor(
    searched: readonly Searched[],
    past: ReadonlyMap<string, PastRow>,
    voided: ReadonlyMap<number, ReadonlySet<number>>,
  ) {
    this.#searches = searched.map((search) => ({ ...search, segments: segmentsOf(search.scopes) }))
    this.#past = past
    this.#voided = voided
  }

  /** The stretches of time that hold everything that is looked for, apart from each other and in order. */
  stretches(): Stretch[] {
    const merged: { from: number; to: number }[] = []
    const all = this.#searches.flatMap(({ segments }) => segments).sort((a, b) => a.from - b.from)
    for (const { from, to } of all) {
      const last = merged.at(-1)
      if (last && from <= last.to) last.to = Math.max(last.to, to)
      else merged.push({ from, to })
    }
    return merged
  }

  /** Adds the events of a record whose times are within a stretch. */
  see(record: PastRecord, stretch: Stretch): void {
    const { batch } = record
    const hashes = hashTable(batch.strings, this.#scratch)
    const keys = new KeysByGrouping(batch, hashes, this.#scratch)
    for (const search of this.#searches) this.#seeIn(search, record, keys.of(search.groupBy), stretch)
  }

  #seeIn({ byJournal, segments }: Search, record: PastRecord, keys: BatchKeys, { from, to }: Stretch): void {
    const { batch } = record
    const times = byJournal ? batch.journalTime : batch.eventTime
    let segment: Segment | null = null
    for (let row = 0; row < batch.count; row++) {
      const time = times[row] ?? 0
      if (time < from || time >= to || batch.type[row] !== ORDER) continue
      if (!segment || time < segment.from || time >= segment.to) segment = find(segments, time)
      if (segment && record.counted(row)) this.#add(segment, record, keys, row)
    }
  }

  #add({ scopes }: Segment, { batch, position }: PastRecord, keys: BatchKeys, row: number): void {
    keys.look(row)
    const own = keys.partsOf(row).text
    const order = (batch.orderId[row] ?? 0) * 4
    const user = (batch.userId[row] ?? 0) * 4
    for (const scope of scopes) {
      if (scope.isOther ? !isFolded(scope, keys, row, own) : scope.key !== own) continue
      const past = this.#past.get(pastName(scope.name, scope.key))
      past?.see(keys.hashes, order, user === 0 ? -1 : user, this.#voided.get(position)?.has(row) ?? false)
    }
  }
}

/** Counted under the overflow of its currency: its key has no row of its own there. */
function isFolded(scope: Scope, keys: BatchKeys, row: number, own: string): boolean {
  return currencyOf(scope.key) === currencyOf(own) && !scope.isOwn(keys, row)
}

/** The text is the JSON of `[currency, …]`. */
function currencyOf(text: string): string {
  return text.slice(0, text.indexOf('"', 2))
}

function find(segments: readonly Segment[], time: number): Segment | null {
  let [low, high] = [0, segments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.to ?? 0) <= time) low = middle + 1
    else high = middle
  }
  const segment = segments[low]
  return segment && segment.from <= time ? segment : null
}

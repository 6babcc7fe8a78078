import type { StringTable } from './stringTable'
import { StringTableBuilder, stringAt } from './stringTable'

export const ORDER = 0
export const REFUND = 1

/**
 * Accepted events as columns: what leaves the edge, stands in the journal and enters the engine, never turned into
 * objects in between. Row i of each column is event i in order of arrival. String columns hold indices into
 * `strings`; index 0 is absent.
 */
export interface EventBatch {
  readonly count: number
  readonly strings: StringTable
  /** Server's receive time, ms; never back within or across batches. One value for all events of an HTTP request. */
  readonly journalTime: Float64Array
  /** When the order happened, ms. */
  readonly eventTime: Float64Array
  readonly source: Uint32Array
  readonly eventId: Uint32Array
  readonly orderId: Uint32Array
  readonly userId: Uint32Array
  readonly currency: Uint32Array
  /** ORDER or REFUND. */
  readonly type: Uint8Array
  /** Amount as the limbs of `Money`, both below 10^8. */
  readonly amountHi: Uint32Array
  readonly amountLo: Uint32Array
  readonly dimensions: readonly DimensionColumn[]
}

export interface DimensionColumn {
  readonly name: string
  readonly value: Uint32Array
}

/** One event on its way into columns; also what a row of a batch reads back as (screens, late store). */
export interface EventFields {
  journalTime: number
  source: string
  eventId: string
  orderId: string
  userId: string | null
  type: typeof ORDER | typeof REFUND
  amountHi: number
  amountLo: number
  currency: string
  eventTime: number
  dimensions: readonly (readonly [name: string, value: string])[]
}

/** Turns checked events into an EventBatch. Rows keep the order in which they are added. */
export class EventBatchBuilder {
  #strings: StringTableBuilder
  #rows: EventFields[] = []

  constructor(expectedBytes?: number) {
    this.#strings = new StringTableBuilder(expectedBytes)
  }

  get count(): number {
    return this.#rows.length
  }

  add(event: EventFields): void {
    this.#rows.push(event)
  }

  build(): EventBatch {
    const rows = this.#rows
    const strings = this.#strings
    const batch = emptyColumns(rows.length)
    const dimensions = new Map<string, Uint32Array>()
    rows.forEach((row, i) => {
      batch.journalTime[i] = row.journalTime
      batch.eventTime[i] = row.eventTime
      batch.source[i] = strings.intern(row.source)
      batch.eventId[i] = strings.append(row.eventId)
      batch.orderId[i] = strings.intern(row.orderId)
      batch.userId[i] = row.userId === null ? 0 : strings.intern(row.userId)
      batch.currency[i] = strings.intern(row.currency)
      batch.type[i] = row.type
      batch.amountHi[i] = row.amountHi
      batch.amountLo[i] = row.amountLo
      for (const [name, value] of row.dimensions) {
        const column = dimensions.get(name) ?? new Uint32Array(rows.length)
        column[i] = strings.intern(value)
        dimensions.set(name, column)
      }
    })
    const columns = [...dimensions].map(([name, value]) => ({ name, value }))
    return { ...batch, strings: strings.build(), dimensions: columns }
  }
}

function emptyColumns(count: number) {
  return {
    count,
    journalTime: new Float64Array(count),
    eventTime: new Float64Array(count),
    source: new Uint32Array(count),
    eventId: new Uint32Array(count),
    orderId: new Uint32Array(count),
    userId: new Uint32Array(count),
    currency: new Uint32Array(count),
    type: new Uint8Array(count),
    amountHi: new Uint32Array(count),
    amountLo: new Uint32Array(count),
  }
}

/** Row `i` as an object, for the few events that a person will look at. */
export function eventAt(batch: EventBatch, i: number): EventFields {
  const text = (index: number | undefined) => stringAt(batch.strings, index ?? 0)
  const user = batch.userId[i] ?? 0
  return {
    journalTime: batch.journalTime[i] ?? 0,
    source: text(batch.source[i]),
    eventId: text(batch.eventId[i]),
    orderId: text(batch.orderId[i]),
    userId: user === 0 ? null : text(user),
    type: batch.type[i] === REFUND ? REFUND : ORDER,
    amountHi: batch.amountHi[i] ?? 0,
    amountLo: batch.amountLo[i] ?? 0,
    currency: text(batch.currency[i]),
    eventTime: batch.eventTime[i] ?? 0,
    dimensions: batch.dimensions
      .filter((column) => (column.value[i] ?? 0) !== 0)
      .map((column) => [column.name, text(column.value[i])] as const),
  }
}

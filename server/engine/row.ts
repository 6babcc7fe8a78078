import type { Money } from '../contracts/money'
import type { WindowStatus } from '../contracts/windowRow'

/** Values of a row at one moment; amounts still as limbs. */
export interface MeasureValues {
  readonly gross: Money
  readonly refunds: Money
  readonly orders: number
  readonly buyers: number
  readonly events: number
}

/** What a row is kept under; `text` is the canonical JSON of `[currency, ...dims]`. */
export interface RowKeyParts {
  readonly text: string
  readonly currency: string
  readonly dims: readonly (string | null)[]
}

/** One row as it stands, read out of the columns that hold it. Not kept: good until the next record is folded. */
export interface Row {
  readonly view: string
  readonly version: number
  readonly start: number
  readonly end: number
  /** `RowKey.windowId`. */
  readonly windowId: number
  readonly key: RowKeyParts
  readonly status: WindowStatus
  readonly byInactivity: boolean
  readonly leftOut: readonly string[]
  readonly revision: number
  /** Journal time of its first publication, ms. */
  readonly firedAt: number | null
  readonly values: MeasureValues
  /** Sketches of its distinct orders and buyers (`contracts/sketch.ts`); null while it is open. */
  readonly sketches: { readonly orders: Uint8Array; readonly buyers: Uint8Array } | null
}

/** Rows that are kept together: those of one window, or all sessions of a view. A row is a group and a number. */
export interface RowGroup {
  /** The row's window has fired: what changes in it is published, not a running total. */
  isPublished(ordinal: number): boolean
  row(ordinal: number): Row
}

/** Rows of one group that a record changed, each once. */
export interface TouchedRows {
  readonly group: RowGroup
  readonly ordinals: readonly number[]
}

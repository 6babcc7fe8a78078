import { LIMB, type Money, normalize, subtract, toDecimal } from '../../contracts/money'
import type { Measures } from '../../contracts/windowRow'
import type { PairSet } from './pairSet'

/** A low limb is carried over before it could pass 2^53. */
const CARRY_AT = 2 ** 52

/** Values of a row at one moment; amounts still as limbs. */
export interface MeasureValues {
  readonly gross: Money
  readonly refunds: Money
  readonly orders: number
  readonly buyers: number
  readonly events: number
}

/** What a row knows of its window. */
export interface CellWindow {
  readonly view: string
  readonly version: number
  readonly start: number
  readonly end: number
  fired: boolean
  closed: boolean
  /** Sources that were idle when it fired. */
  leftOut: readonly string[]
  /** Distinct ids of all its rows. */
  readonly distinct: PairSet
}

/** Events of one record that changed a published row, not yet made into a revision. */
export interface PendingCorrection {
  count: number
  /** Rows of the record's batch, up to 20. */
  readonly rows: number[]
  /** Journal time and watermark under which the last of them was counted. */
  at: number
  watermark: number
}

/** The running totals of one key in one window. */
export interface Cell {
  readonly window: CellWindow
  /** Its number within the window, from 0: the salt of its distinct ids. */
  readonly ordinal: number
  readonly key: CellKey
  grossHi: number
  grossLo: number
  refundsHi: number
  refundsLo: number
  orders: number
  buyers: number
  events: number
  /** 0 until first published. */
  revision: number
  published: MeasureValues | null
  pending: PendingCorrection | null
  firedAt: number | null
  /** Position of the record that touched it last: lists each cell once a record. */
  touchedAt: number
}

/** What a row is kept under; `text` is the canonical JSON of `[currency, ...dims]`. */
export interface CellKey {
  readonly text: string
  readonly currency: string
  readonly dims: readonly (string | null)[]
}

export function newCell(window: CellWindow, ordinal: number, key: CellKey): Cell {
  return {
    window,
    ordinal,
    key,
    grossHi: 0,
    grossLo: 0,
    refundsHi: 0,
    refundsLo: 0,
    orders: 0,
    buyers: 0,
    events: 0,
    revision: 0,
    published: null,
    pending: null,
    firedAt: null,
    touchedAt: 0,
  }
}

export function addGross(cell: Cell, hi: number, lo: number): void {
  cell.grossHi += hi
  cell.grossLo += lo
  if (cell.grossLo < CARRY_AT) return
  const carry = Math.floor(cell.grossLo / LIMB)
  cell.grossHi += carry
  cell.grossLo -= carry * LIMB
}

export function addRefund(cell: Cell, hi: number, lo: number): void {
  cell.refundsHi += hi
  cell.refundsLo += lo
  if (cell.refundsLo < CARRY_AT) return
  const carry = Math.floor(cell.refundsLo / LIMB)
  cell.refundsHi += carry
  cell.refundsLo -= carry * LIMB
}

export function valuesOf(cell: Cell): MeasureValues {
  return {
    gross: normalize(cell.grossHi, cell.grossLo),
    refunds: normalize(cell.refundsHi, cell.refundsLo),
    orders: cell.orders,
    buyers: cell.buyers,
    events: cell.events,
  }
}

/** Values as they go over every wire. */
export function toMeasures(values: MeasureValues): Measures {
  return {
    gross: toDecimal(values.gross),
    refunds: toDecimal(values.refunds),
    net: toDecimal(subtract(values.gross, values.refunds)),
    orders: values.orders,
    buyers: values.buyers,
    events: values.events,
  }
}

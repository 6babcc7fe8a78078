import type { Measures, Revision, RowKey, WindowRow } from '../contracts/windowRow'
import { Prisma } from './generated/client'

/** What a row reads back as. NUMERIC as text with its 4 decimals; BIGINT as bigint. */
export interface KeyColumns {
  readonly view: string
  readonly version: number
  readonly window_id: bigint
  readonly start_at: bigint
  readonly end_at: bigint
  readonly currency: string
  readonly dims: (string | null)[]
}

export interface WindowColumns extends KeyColumns, MeasureColumns {
  readonly status: WindowRow['status']
  readonly revision: number
  readonly by_inactivity: boolean
  readonly left_out: string[]
  readonly fired_at: bigint | null
  readonly updated_at: bigint
  readonly watermark: bigint | null
  readonly pos: bigint
}

export interface MeasureColumns {
  readonly gross: string
  readonly refunds: string
  readonly net: string
  readonly orders: bigint
  readonly buyers: bigint
  readonly events: bigint
}

/** The select list of WindowColumns, for a window_row named w. Without sketches: spans are asked for by `readDistinct`. */
export const WINDOW_COLUMNS = Prisma.raw(`
  w.view, w.version, w.window_id, w.start_at, w.end_at, w.currency, w.dims, w.status,
  w.gross::text AS gross, w.refunds::text AS refunds, (w.gross - w.refunds)::text AS net,
  w.orders, w.buyers, w.events, w.revision, w.by_inactivity, w.left_out, w.fired_at, w.updated_at, w.watermark, w.pos`)

export interface RevisionColumns extends KeyColumns {
  readonly revision: number
  readonly kind: Revision['kind']
  readonly before_gross: string | null
  readonly before_refunds: string | null
  readonly before_net: string | null
  readonly before_orders: bigint | null
  readonly before_buyers: bigint | null
  readonly before_events: bigint | null
  readonly after_gross: string
  readonly after_refunds: string
  readonly after_net: string
  readonly after_orders: bigint
  readonly after_buyers: bigint
  readonly after_events: bigint
  readonly delta_net: string
  readonly event_count: number
  readonly event_ids: string[]
  readonly late_by: bigint
  readonly watermark: bigint | null
  readonly at: bigint
  readonly pos: bigint
  readonly by: string | null
}

/** The select list of RevisionColumns, for a revision named r. */
export const REVISION_COLUMNS = Prisma.raw(`
  r.view, r.version, r.window_id, r.start_at, r.end_at, r.currency, r.dims, r.revision, r.kind,
  r.before_gross::text AS before_gross, r.before_refunds::text AS before_refunds,
  (r.before_gross - r.before_refunds)::text AS before_net, r.before_orders, r.before_buyers, r.before_events,
  r.after_gross::text AS after_gross, r.after_refunds::text AS after_refunds,
  (r.after_gross - r.after_refunds)::text AS after_net, r.after_orders, r.after_buyers, r.after_events,
  r.delta_net::text AS delta_net, r.event_count, r.event_ids, r.late_by, r.watermark, r.at, r.pos, r.by`)

export const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value))

function toKey(row: KeyColumns): RowKey {
  return {
    view: row.view,
    version: row.version,
    windowId: Number(row.window_id),
    start: Number(row.start_at),
    end: Number(row.end_at),
    currency: row.currency,
    dims: row.dims,
  }
}

export function toMeasures(row: MeasureColumns): Measures {
  return {
    gross: row.gross,
    refunds: row.refunds,
    net: row.net,
    orders: Number(row.orders),
    buyers: Number(row.buyers),
    events: Number(row.events),
  }
}

export function toWindowRow(row: WindowColumns): WindowRow {
  return {
    ...toKey(row),
    ...toMeasures(row),
    status: row.status,
    revision: row.revision,
    byInactivity: row.by_inactivity,
    leftOut: row.left_out,
    firedAt: numberOrNull(row.fired_at),
    updatedAt: Number(row.updated_at),
    watermark: numberOrNull(row.watermark),
    pos: Number(row.pos),
    sketches: null,
  }
}

export function toRevision(row: RevisionColumns): Revision {
  return {
    ...toKey(row),
    revision: row.revision,
    kind: row.kind,
    before: beforeOf(row),
    after: toMeasures({
      gross: row.after_gross,
      refunds: row.after_refunds,
      net: row.after_net,
      orders: row.after_orders,
      buyers: row.after_buyers,
      events: row.after_events,
    }),
    deltaNet: row.delta_net,
    eventCount: row.event_count,
    eventIds: row.event_ids,
    lateBy: Number(row.late_by),
    watermark: numberOrNull(row.watermark),
    at: Number(row.at),
    pos: Number(row.pos),
    by: row.by,
  }
}

/** They are null together; a check of the table says so. */
function beforeOf(row: RevisionColumns): Measures | null {
  if (row.before_gross === null || row.before_refunds === null || row.before_net === null) return null
  return {
    gross: row.before_gross,
    refunds: row.before_refunds,
    net: row.before_net,
    orders: Number(row.before_orders ?? 0),
    buyers: Number(row.before_buyers ?? 0),
    events: Number(row.before_events ?? 0),
  }
}

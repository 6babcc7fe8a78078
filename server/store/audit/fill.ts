import type { Flush } from '../../contracts/flush'
import { insertCommands, insertSpecs } from '../write/commands'
import { insertMissed, upsertLate } from '../write/lateEvents'
import { insertNotices } from '../write/notices'
import { insertRevisions } from '../write/revisions'
import { type Transaction, writeRows } from '../write/rows'
import { upsertSources } from '../write/sources'
import { closeWindows, upsertWindowRows } from '../write/windowRows'

/** An accepted event of the journal, as the sums are made of it. */
export interface AuditEvent {
  readonly position: number
  readonly row: number
  readonly source: string
  readonly eventId: string
  /** Journal and event time, ms. */
  readonly at: number
  readonly eventTime: number
  readonly type: 'order' | 'refund'
  readonly amount: string
  readonly currency: string
  readonly userId: string | null
  readonly dimensions: Readonly<Record<string, string>>
}

const INSERT_EVENTS = `
  INSERT INTO audit_event (position, row, source, event_id, at, event_time, type, amount, currency, user_id, dimensions)
  SELECT position, "row", source, "eventId", at, "eventTime", type, amount, currency, "userId", dimensions
  FROM jsonb_to_recordset($1::jsonb) AS r(position bigint, "row" int, source text, "eventId" text, at bigint,
    "eventTime" bigint, type text, amount numeric, currency text, "userId" text, dimensions jsonb)`

export function insertAuditEvents(tx: Transaction, events: readonly AuditEvent[]): Promise<void> {
  return writeRows(tx, INSERT_EVENTS, events)
}

/** Where the fold stood after a record. */
export interface AuditPosition {
  readonly position: number
  readonly at: number
  readonly watermark: number | null
}

const INSERT_POSITIONS = `
  INSERT INTO audit_position (position, at, watermark)
  SELECT position, at, watermark FROM jsonb_to_recordset($1::jsonb) AS r(position bigint, at bigint, watermark bigint)`

export function insertAuditPositions(tx: Transaction, positions: readonly AuditPosition[]): Promise<void> {
  return writeRows(tx, INSERT_POSITIONS, positions)
}

/** Writes what records did, as a flush does, but into the temporary tables, which hide the real ones. */
export async function fillShadows(tx: Transaction, flush: Flush): Promise<void> {
  await upsertWindowRows(tx, flush.rows)
  await insertRevisions(tx, flush.revisions)
  await closeWindows(tx, flush.closed)
  await upsertLate(tx, flush.late)
  await insertMissed(tx, flush.missed)
  await insertNotices(tx, flush.notices)
  await insertCommands(tx, flush.commands)
  await insertSpecs(tx, flush.specs)
}

export { upsertSources as fillSources }

/** Keeps the rows whose stored totals are of `position` as they are there: later events will change them. */
export async function keepOpenTotals(tx: Transaction, position: number): Promise<void> {
  await tx.$executeRawUnsafe(
    `INSERT INTO open_total SELECT w.* FROM pg_temp.window_row w
     JOIN audit_open o USING (view, version, window_id, key) WHERE o.pos = $1::bigint`,
    String(position),
  )
}

import { type EventId, idName } from '../../contracts/lateStore'
import { fromDecimal } from '../../contracts/money'
import type { FoundWindow, WantedWindow } from '../../engine/reconcile/hydrator'
import type { StoredRow } from '../../engine/reconcile/pastRow'
import type { PastRecord, Stretch } from '../../engine/reconcile/pastScan'
import { windowName } from '../../engine/windows/view'
import {
  type PastRange,
  pastRecords,
  positionAt,
  type StoredPast,
  type Where,
} from '../../journal/pastRecords'
import type { Store } from '../../store/client'
import { readIdFacts } from '../../store/late/idFacts'
import { type RowAsOf, readKeysAsOf, readRowsAsOf, readWindowsAsOf } from '../../store/late/rowsAsOf'
import { readWholeFrom } from '../../store/late/wholeFrom'
import type { IdFacts, LateHistory } from './history'

/** The past as journal and store keep it (LateHistory). Every answer is as of before a position. */
export class PostgresHistory implements LateHistory {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async ids(ids: readonly EventId[], before: number): Promise<Map<string, IdFacts>> {
    const rows = await readIdFacts(this.#store, ids, before)
    return new Map(
      rows.map(({ source, event_id, last, moved, came, settled, verified_to }) => [
        idName({ source, eventId: event_id }),
        { last, moved, came, settled, verifiedTo: Number(verified_to ?? 0) },
      ]),
    )
  }

  at(positions: readonly number[], before: number): AsyncIterable<PastRecord> {
    return this.#records(
      { after: 0, before, asOf: before },
      { sql: 'j.position = ANY($4::bigint[])', values: [positions.map(String)] },
    )
  }

  async *within({ from, to }: Stretch, byJournal: boolean, before: number): AsyncIterable<PastRecord> {
    if (byJournal) {
      const first = await positionAt(this.#store, from)
      // A record may begin before its last event's time, which is the record's.
      const end = await positionAt(this.#store, to)
      const range = { after: first - 1, before: Math.min(before, end + 2), asOf: before }
      yield* this.#records(range, { sql: 'true', values: [] })
      return
    }
    const sql = 'j.min_event_time < $4::bigint AND j.max_event_time >= $5::bigint'
    yield* this.#records({ after: 0, before, asOf: before }, { sql, values: [String(to), String(from)] })
  }

  after(position: number, sources: readonly string[], before: number): AsyncIterable<PastRecord> {
    const where = { sql: 'j.source IS NULL OR j.source = ANY($4::text[])', values: [sources] }
    return this.#records({ after: position, before, asOf: before }, where)
  }

  async *#records(range: PastRange, where: Where): AsyncIterable<PastRecord> {
    for await (const record of pastRecords(this.#store, range, where)) yield toPast(record)
  }

  async windows(wanted: readonly WantedWindow[], before: number): Promise<Map<string, FoundWindow>> {
    const keys = wanted.flatMap(({ keys: texts, ...window }) => [...texts].map((key) => ({ ...window, key })))
    const [windows, rows] = await Promise.all([
      readWindowsAsOf(this.#store, refsOf(wanted), before),
      readRowsAsOf(this.#store, keys, before),
    ])
    const found = new Map<string, FoundWindow & { readonly rows: Map<string, StoredRow> }>()
    for (const { view, window_id, own_rows, left_out, by_inactivity } of windows) {
      const window = { ownRows: own_rows, leftOut: left_out, byInactivity: by_inactivity, rows: new Map() }
      found.set(windowName(view, Number(window_id)), window)
    }
    for (const row of rows)
      found.get(windowName(row.view, Number(row.window_id)))?.rows.set(row.key, toStored(row))
    return found
  }

  async keys(windows: readonly WantedWindow[], before: number): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>()
    for (const { view, window_id, key } of await readKeysAsOf(this.#store, refsOf(windows), before)) {
      const name = windowName(view, Number(window_id))
      found.set(name, (found.get(name) ?? new Set()).add(key))
    }
    return found
  }

  wholeFrom(): Promise<number | null> {
    return readWholeFrom(this.#store)
  }
}

function refsOf(windows: readonly WantedWindow[]) {
  return windows.map(({ view, version, windowId }) => ({ view, version, windowId }))
}

function toPast({ position, batch, uncounted, corrected, moved }: StoredPast): PastRecord {
  return {
    position,
    batch,
    counted: (row) => moved.get(row) ?? !isSet(uncounted, row),
    corrected: (row) => isSet(corrected, row),
  }
}

function isSet(bits: Uint8Array | null, row: number): boolean {
  return bits !== null && ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
}

function toStored({ revision, fired_at, gross, refunds, orders, buyers, events }: RowAsOf): StoredRow {
  return {
    revision,
    firedAt: Number(fired_at ?? 0),
    values: {
      gross: fromDecimal(gross),
      refunds: fromDecimal(refunds),
      orders: Number(orders),
      buyers: Number(buyers),
      events: Number(events),
    },
  }
}

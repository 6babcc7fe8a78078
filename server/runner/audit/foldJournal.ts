import { finiteOrNull } from '../../contracts/instant'
import type { JournalRecord } from '../../contracts/journalRecord'
import type { EngineState } from '../../engine/state'
import { step } from '../../engine/step'
import { toRecord } from '../../journal/rows'
import {
  type AuditEvent,
  type AuditPosition,
  fillShadows,
  fillSources,
  insertAuditEvents,
  insertAuditPositions,
  keepOpenTotals,
} from '../../store/audit/fill'
import { type AuditScope, readRecords, type StoredRecord } from '../../store/audit/scope'
import type { Transaction } from '../../store/write/rows'
import { FlushBuffer, OPEN_TOTALS_EVERY } from '../flushBuffer'
import { toWindowRow } from '../materialize'
import { sourceSnapshots } from '../status'
import { auditEvents } from './events'
import { AuditProblem } from './problem'

const READ_AT_ONCE = 64
/** Rows, or events, that are written at once. */
const WRITE_AT = 5_000

/** Told of each page of records: positions done, and events. */
export type OnFolded = (position: number, events: number) => void

/**
 * Folds the journal from where `state` stands up to the committed position, with the runner's own buffer, into the
 * temporary tables. The state is changed in place. Throws AuditProblem that names damaged and missing positions.
 */
export class JournalFold {
  readonly #tx: Transaction
  readonly #scope: AuditScope
  readonly #state: EngineState
  readonly #buffer = new FlushBuffer()
  #events: AuditEvent[] = []
  #positions: AuditPosition[] = []
  /** Time of the buffer, which has totals of open windows due when it has moved on, ms. */
  #clock = 0
  records = 0
  events = 0
  readonly skipped: number[] = []

  constructor(tx: Transaction, scope: AuditScope, state: EngineState) {
    this.#tx = tx
    this.#scope = scope
    this.#state = state
  }

  async run(onFolded: OnFolded): Promise<void> {
    const { position: to } = this.#scope
    await this.#writeHeld()
    let at = this.#state.position
    while (at < to) {
      const page = await readRecords(this.#tx, at, to, READ_AT_ONCE)
      for (const row of page) {
        await this.#take(row, ++at)
      }
      if (page.length === 0) throw missing(at + 1, to)
      onFolded(at, this.events)
    }
    await this.#write(true)
    await fillSources(this.#tx, sourceSnapshots(this.#state))
  }

  /** Rows that a restored state holds already: the journal may never touch them again. */
  async #writeHeld(): Promise<void> {
    const state = this.#state
    const rows = (state.pipeline?.views ?? []).flatMap((view) =>
      Array.from(view.liveRows()).flatMap(({ group, ordinals }) =>
        ordinals.map((ordinal) => toWindowRow(group.row(ordinal), state)),
      ),
    )
    this.#clock += OPEN_TOTALS_EVERY
    const { flush } = this.#buffer.take(state, state.position, this.#clock)
    for (let i = 0; i < rows.length; i += WRITE_AT)
      await fillShadows(this.#tx, { ...flush, rows: rows.slice(i, i + WRITE_AT) })
    if (this.#scope.openAt.has(state.position)) await keepOpenTotals(this.#tx, state.position)
  }

  async #take(row: StoredRecord, expected: number): Promise<void> {
    if (row.position !== expected) throw missing(expected, row.position)
    if (this.#scope.skipped.has(row.position)) this.skipped.push(row.position)
    else await this.#fold(await this.#decoded(row))
    if (this.#scope.openAt.has(row.position)) {
      await this.#write(true)
      await keepOpenTotals(this.#tx, row.position)
    } else if (this.#buffer.size >= WRITE_AT || this.#events.length >= WRITE_AT) await this.#write(false)
  }

  async #decoded(row: StoredRecord): Promise<JournalRecord> {
    try {
      return toRecord(row)
    } catch (error) {
      throw damaged([(error as Error).message, ...(await this.#otherDamage(row.position))])
    }
  }

  /** What else cannot be read behind a damaged record, so that all of it is known at once. */
  async #otherDamage(after: number): Promise<string[]> {
    const faults: string[] = []
    for (let at = after; ; ) {
      const page = await readRecords(this.#tx, at, this.#scope.position, READ_AT_ONCE)
      for (const row of page) {
        at = row.position
        if (!this.#scope.skipped.has(at)) faults.push(...faultOf(row))
      }
      if (page.length === 0) return faults
    }
  }

  async #fold(record: JournalRecord): Promise<void> {
    const before = this.#state.pipeline?.spec
    const outcome = step(this.#state, record)
    const now = this.#state.pipeline?.spec
    this.#buffer.add(record, outcome, now && now !== before ? now : null)
    this.records++
    const { position } = record
    const { watermark } = this.#state.clock
    this.#positions.push({ position, at: this.#state.at, watermark: finiteOrNull(watermark) })
    if (record.kind !== 'events') return
    this.events += record.batch.count
    for (const event of auditEvents(record.batch, position)) this.#events.push(event)
  }

  async #write(totals: boolean): Promise<void> {
    if (totals) this.#clock += OPEN_TOTALS_EVERY
    const { flush } = this.#buffer.take(this.#state, this.#state.position, this.#clock)
    await fillShadows(this.#tx, flush)
    await insertAuditEvents(this.#tx, this.#events)
    await insertAuditPositions(this.#tx, this.#positions)
    this.#events = []
    this.#positions = []
  }
}

function faultOf(row: StoredRecord): string[] {
  try {
    toRecord(row)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

function missing(from: number, next: number): AuditProblem {
  return new AuditProblem(
    `the journal has no position ${from}; the next one there is ${next}. Restore the database from a backup.`,
  )
}

function damaged(faults: readonly string[]): AuditProblem {
  return new AuditProblem(
    `${faults.join('\n')}\nWhat follows on a damaged record cannot be recomputed. Restore the database from a backup, or let the engine pass over it; the audit then passes over it, too.`,
  )
}

import type { EventBatch } from '../../../server/contracts/eventBatch'
import type { JournalRecord } from '../../../server/contracts/journalRecord'
import { type EventId, idName, type LateChange } from '../../../server/contracts/lateStore'
import { fromDecimal } from '../../../server/contracts/money'
import { stringAt } from '../../../server/contracts/stringTable'
import type { Measures, Revision } from '../../../server/contracts/windowRow'
import type { StepOutcome } from '../../../server/engine/outcome'
import type { FoundWindow, WantedWindow } from '../../../server/engine/reconcile/hydrator'
import type { StoredRow } from '../../../server/engine/reconcile/pastRow'
import type { PastRecord, Stretch } from '../../../server/engine/reconcile/pastScan'
import type { MeasureValues } from '../../../server/engine/row'
import { windowName } from '../../../server/engine/windows/view'
import type { IdFacts, LateHistory } from '../../../server/runner/lateStore/history'

interface Kept {
  readonly position: number
  readonly batch: EventBatch
  readonly uncounted: ReadonlySet<number>
  readonly corrected: ReadonlySet<number>
}

type Changed = LateChange & { readonly by: number }

/** The past of an engine under test, kept as it was told: the plain twin of what the store keeps. */
export class PastInMemory implements LateHistory {
  readonly #records: Kept[] = []
  readonly #late: { name: string; position: number }[] = []
  readonly #changes: Changed[] = []
  readonly #revisions = new Map<string, Map<string, Revision[]>>()
  /** Events that were looked at, for tests of what is read. */
  seen = 0

  add(record: JournalRecord, outcome: StepOutcome): void {
    const { position } = record
    for (const revision of outcome.revisions) this.#addRevision(revision)
    for (const change of outcome.lateChanges) this.#changes.push({ ...change, by: position })
    if (record.kind !== 'events') return
    const { batch } = record
    const { uncounted, corrected } = outcome
    this.#records.push({ position, batch, uncounted: new Set(uncounted), corrected: new Set(corrected) })
    for (const { row } of outcome.late) this.#late.push({ name: nameAt(batch, row), position })
  }

  #addRevision(revision: Revision): void {
    const name = windowName(revision.view, revision.windowId)
    const rows = this.#revisions.get(name) ?? new Map<string, Revision[]>()
    this.#revisions.set(name, rows)
    const key = JSON.stringify([revision.currency, ...revision.dims])
    rows.set(key, [...(rows.get(key) ?? []), revision])
  }

  async ids(ids: readonly EventId[], before: number) {
    return new Map(ids.map((id) => [idName(id), this.#factsOf(idName(id), before)]))
  }

  #factsOf(name: string, before: number): IdFacts {
    const changes = this.#changes.filter((c) => idName(c) === name && c.by < before)
    const own = changes.filter((c) => c.change !== 'duplicate')
    return {
      last: own.at(-1)?.change ?? changes.at(-1)?.change ?? null,
      moved:
        own.flatMap(({ change }) => (change === 'reconciled' || change === 'voided' ? change : [])).at(-1) ??
        null,
      came: this.#late.filter((late) => late.name === name && late.position < before).length,
      settled: changes.reduce((sum, c) => sum + c.settles, 0),
      verifiedTo: 0,
    }
  }

  async *at(positions: readonly number[], before: number) {
    for (const kept of this.#records)
      if (positions.includes(kept.position) && kept.position < before) yield this.#past(kept, before)
  }

  async *within({ from, to }: Stretch, byJournal: boolean, before: number) {
    for (const kept of this.#records) {
      const times = byJournal ? kept.batch.journalTime : kept.batch.eventTime
      if (kept.position < before && times.some((t) => from <= t && t < to)) yield this.#past(kept, before)
    }
  }

  async *after(position: number, sources: readonly string[], before: number) {
    for (const kept of this.#records) {
      const { source, strings } = kept.batch
      const holds = () => [...source].some((index) => sources.includes(stringAt(strings, index)))
      if (kept.position > position && kept.position < before && holds()) yield this.#past(kept, before)
    }
  }

  /** Every record with events, as of a position. */
  everything(before: number): PastRecord[] {
    return this.#records.map((kept) => this.#past(kept, before))
  }

  #past({ position, batch, uncounted, corrected }: Kept, before: number): PastRecord {
    const changed = new Map<number, boolean>()
    for (const { change, by, position: at, row } of this.#changes) {
      const moves = change === 'reconciled' || change === 'voided'
      if (moves && by < before && at === position) changed.set(row, change === 'reconciled')
    }
    this.seen += batch.count
    return {
      position,
      batch,
      counted: (row) => changed.get(row) ?? !uncounted.has(row),
      corrected: (row) => corrected.has(row),
    }
  }

  async windows(wanted: readonly WantedWindow[], before: number) {
    const found = new Map<string, FoundWindow>()
    for (const { view, windowId, keys } of wanted) {
      const all = this.#rowsOf(windowName(view, windowId), before)
      const rows = new Map([...all].filter(([key]) => keys.has(key)))
      const ownRows = [...all.keys()].filter((key) => !isOverflow(key)).length
      if (all.size > 0)
        found.set(windowName(view, windowId), { rows, ownRows, byInactivity: false, leftOut: [] })
    }
    return found
  }

  async keys(windows: readonly WantedWindow[], before: number) {
    return new Map(
      windows.map(({ view, windowId }) => {
        const name = windowName(view, windowId)
        return [name, new Set([...this.#rowsOf(name, before).keys()].filter((key) => !isOverflow(key)))]
      }),
    )
  }

  async wholeFrom() {
    return null
  }

  #rowsOf(name: string, before: number): Map<string, StoredRow> {
    const rows = new Map<string, StoredRow>()
    for (const [key, revisions] of this.#revisions.get(name) ?? []) {
      const known = revisions.filter(({ pos }) => pos < before)
      const [first, last] = [known[0], known.at(-1)]
      if (first && last)
        rows.set(key, { revision: last.revision, firedAt: first.at, values: toValues(last.after) })
    }
    return rows
  }
}

function nameAt(batch: EventBatch, row: number): string {
  const text = (index = 0) => stringAt(batch.strings, index)
  return idName({ source: text(batch.source[row]), eventId: text(batch.eventId[row]) })
}

function isOverflow(key: string): boolean {
  return (JSON.parse(key) as unknown[]).slice(1).includes('__other__')
}

function toValues({ gross, refunds, orders, buyers, events }: Measures): MeasureValues {
  return { gross: fromDecimal(gross), refunds: fromDecimal(refunds), orders, buyers, events }
}

import type {
  ClosedWindow,
  CommandDone,
  Flush,
  LateChangeDone,
  LateOccurrence,
  QuarantinedEvent,
  RecordOutcome,
  SpecInForce,
} from '../contracts/flush'
import type { JournalRecord } from '../contracts/journalRecord'
import type { Notice } from '../contracts/notice'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { LateEvent, MissedWindows, Revision } from '../contracts/windowRow'
import type { StepOutcome } from '../engine/outcome'
import { toLateChange, toLateEvent, toMissed, toRecordOutcome } from './materialize'

type Lists = Pick<
  Flush,
  | 'revisions'
  | 'closed'
  | 'late'
  | 'lateOccurrences'
  | 'lateChanges'
  | 'outcomes'
  | 'missed'
  | 'quarantined'
  | 'notices'
  | 'commands'
  | 'specs'
>

/** Everything of a flush that is a list of what happened, in the order in which it did. */
export class FlushLists {
  readonly #revisions: Revision[] = []
  readonly #closed: ClosedWindow[] = []
  /** By source and id, which a late event is unique by. */
  readonly #late = new Map<string, LateEvent>()
  readonly #lateOccurrences: LateOccurrence[] = []
  readonly #lateChanges: LateChangeDone[] = []
  readonly #outcomes: RecordOutcome[] = []
  readonly #missed: MissedWindows[] = []
  readonly #quarantined: QuarantinedEvent[] = []
  readonly #notices: Notice[] = []
  readonly #commands: CommandDone[] = []
  readonly #specs: SpecInForce[] = []

  /** Rows that they will be at least. */
  get size(): number {
    const lists = [
      ...[this.#revisions, this.#closed, this.#missed, this.#quarantined, this.#notices],
      ...[this.#lateOccurrences, this.#lateChanges],
    ]
    return lists.reduce((sum, list) => sum + list.length, this.#late.size)
  }

  add(record: JournalRecord, outcome: StepOutcome, inForce: PipelineSpec | null): void {
    const { position, at } = record
    // Not `push(...)`: a window of a million keys fires a million revisions, more than a call takes arguments.
    for (const revision of outcome.revisions) this.#revisions.push(revision)
    for (const closed of outcome.closed) this.#closed.push(closed)
    for (const notice of outcome.notices) this.#notices.push(notice)
    if (inForce) this.#specs.push({ spec: inForce, position, at })
    const done = commandDone(record, outcome)
    if (done) this.#commands.push(done)
    for (const change of outcome.lateChanges) this.#lateChanges.push(toLateChange(change, record))
    if (record.kind !== 'events') return
    for (const late of outcome.late) this.#addLate(toLateEvent(late, record.batch, record))
    const told = toRecordOutcome(outcome, record.batch.count, position)
    if (told) this.#outcomes.push(told)
    for (const missed of outcome.missed) this.#missed.push(toMissed(missed, record.batch, record))
    for (const rejected of record.rejected) this.#quarantined.push({ ...rejected, receivedAt: at, position })
  }

  taken(): Lists {
    return {
      revisions: this.#revisions,
      closed: this.#closed,
      late: [...this.#late.values()],
      lateOccurrences: this.#lateOccurrences,
      lateChanges: this.#lateChanges,
      outcomes: this.#outcomes,
      missed: this.#missed,
      quarantined: this.#quarantined,
      notices: this.#notices,
      commands: this.#commands,
      specs: this.#specs,
    }
  }

  #addLate(event: LateEvent): void {
    const { source, eventId, position, row } = event
    this.#lateOccurrences.push({ source, eventId, position, row })
    const id = `${event.source}\n${event.eventId}`
    const known = this.#late.get(id)
    this.#late.set(id, known ? { ...known, seen: known.seen + 1 } : event)
  }
}

/** The record's command with what came of it; null for a record of another kind. */
export function commandDone(record: JournalRecord, { command: outcome }: StepOutcome): CommandDone | null {
  if (record.kind !== 'command' || outcome === null) return null
  const { position, at, command, order } = record
  return { position, at, command, order, outcome }
}

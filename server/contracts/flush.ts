import type { Command, CommandOutcome, Order } from './command'
import type { LateChange } from './lateStore'
import type { Notice } from './notice'
import type { PipelineSpec } from './pipelineSpec'
import type { Rejected } from './quarantine'
import type { OutcomeCounts, SourceState } from './status'
import type { Strategy } from './strategy'
import type { LateEvent, MissedWindows, Revision, RowKey, WindowRow } from './windowRow'

/** A window that closed: all its rows are closed. */
export type ClosedWindow = Pick<RowKey, 'view' | 'version' | 'windowId'>

/** An event set aside, with where it stands in the journal. */
export interface QuarantinedEvent extends Rejected {
  readonly receivedAt: number
  readonly position: number
}

/** One source's clock and counters, absolute. */
export interface SourceSnapshot extends OutcomeCounts {
  readonly name: string
  readonly declared: boolean
  readonly state: SourceState
  readonly watermark: number | null
  readonly maxEventTime: number | null
  readonly lastRecordAt: number | null
  /** A retired one's is what would hold for it if it spoke again. */
  readonly strategy: Strategy['kind']
  /** Out-of-orderness bound in force, ms; null where there is none. */
  readonly bound: number | null
  readonly isTest: boolean
  readonly resendsHistory: boolean
  readonly wouldPause: boolean
}

/** A definition of the pipeline that came into force. */
export interface SpecInForce {
  readonly spec: PipelineSpec
  readonly position: number
  readonly at: number
}

/** A command of the journal and what came of it: what the audit keeps. */
export interface CommandDone {
  readonly position: number
  readonly at: number
  readonly command: Command
  readonly order: Order
  readonly outcome: CommandOutcome
}

/** Which rows of a record's batch were not counted in time, as bits (row i is bit i % 8 of byte i >> 3). */
export interface RecordOutcome {
  readonly position: number
  /** Late, duplicate or of a test source; null: none of them. */
  readonly uncounted: Uint8Array | null
  /** Counted as a correction; null: none of them. */
  readonly corrected: Uint8Array | null
}

/** A time that an id came late. */
export type LateOccurrence = Pick<LateEvent, 'source' | 'eventId' | 'position' | 'row'>

/** What a command changed in the late store. */
export interface LateChangeDone extends LateChange {
  /** Position of the command. */
  readonly by: number
  /** A voided event, as the late store keeps it from then on; null for other changes. */
  readonly voided: LateEvent | null
}

/** Everything that one transaction writes: the results of the records up to `position` (design.md §1.4). */
export interface Flush {
  /** Position that must stand in the database when this is written, and that stands there afterwards. */
  readonly prev: number
  readonly position: number
  /** Journal time of the record at `position`. */
  readonly at: number
  readonly watermark: number | null
  readonly rows: readonly WindowRow[]
  readonly revisions: readonly Revision[]
  readonly closed: readonly ClosedWindow[]
  readonly late: readonly LateEvent[]
  /** Every time that an id came late; `late` holds each id once. */
  readonly lateOccurrences: readonly LateOccurrence[]
  readonly lateChanges: readonly LateChangeDone[]
  readonly outcomes: readonly RecordOutcome[]
  readonly missed: readonly MissedWindows[]
  readonly quarantined: readonly QuarantinedEvent[]
  readonly notices: readonly Notice[]
  readonly commands: readonly CommandDone[]
  readonly specs: readonly SpecInForce[]
  readonly sources: readonly SourceSnapshot[]
  readonly counts: OutcomeCounts
}

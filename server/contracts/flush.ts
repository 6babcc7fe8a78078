import type { Command, CommandOutcome, Order } from './command'
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
  readonly missed: readonly MissedWindows[]
  readonly quarantined: readonly QuarantinedEvent[]
  readonly notices: readonly Notice[]
  readonly commands: readonly CommandDone[]
  readonly specs: readonly SpecInForce[]
  readonly sources: readonly SourceSnapshot[]
  readonly counts: OutcomeCounts
}

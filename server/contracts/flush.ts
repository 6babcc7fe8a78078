import type { PipelineSpec } from './pipelineSpec'
import type { Rejected } from './quarantine'
import type { OutcomeCounts, SourceState } from './status'
import type { LateEvent, Revision, RowKey, WindowRow } from './windowRow'

/** A window that closed: all its rows are closed. */
export type ClosedWindow = Pick<RowKey, 'view' | 'version' | 'start'>

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
}

/** A definition of the pipeline that came into force. */
export interface SpecInForce {
  readonly spec: PipelineSpec
  readonly position: number
  readonly at: number
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
  readonly quarantined: readonly QuarantinedEvent[]
  readonly specs: readonly SpecInForce[]
  readonly sources: readonly SourceSnapshot[]
  readonly counts: OutcomeCounts
}

import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { PipelineStatus } from '../contracts/status'
import type { Revision, WindowRow } from '../contracts/windowRow'

/** What became visible by one flush. `rows` holds what was written, and running totals of open windows from memory. */
export interface Committed {
  readonly prev: number
  readonly pos: number
  readonly watermark: number | null
  readonly rows: readonly WindowRow[]
  readonly revisions: readonly Revision[]
}

/** The runner, as services and sockets know it. */
export interface RunnerPort {
  status(): PipelineStatus
  /** The spec in force. */
  spec(): PipelineSpec
  /** Calls back after each flush. Returns how to stop. */
  onCommitted(listener: (committed: Committed) => void): () => void
}

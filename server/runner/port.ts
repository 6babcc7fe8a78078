import type { OnCommitted } from '../contracts/committed'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { PipelineStatus } from '../contracts/status'

/** The runner, as services know it. */
export interface RunnerPort {
  status(): PipelineStatus
  /** The spec in force. */
  spec(): PipelineSpec
  readonly onCommitted: OnCommitted
}

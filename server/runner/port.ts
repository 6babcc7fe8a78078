import type { Command, Order } from '../contracts/command'
import type { OnCommitted } from '../contracts/committed'
import type { CommandDone } from '../contracts/flush'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { PipelineStatus } from '../contracts/status'

/** The runner, as services know it. */
export interface RunnerPort {
  status(): PipelineStatus
  /** The spec in force. */
  spec(): PipelineSpec
  /**
   * Puts a command into the journal and resolves with what came of it once it is folded; a refused one resolves too,
   * its outcome says why. Rejects with the journal's AppError when it was not taken.
   */
  command(command: Command, order: Order): Promise<CommandDone>
  readonly onCommitted: OnCommitted
}

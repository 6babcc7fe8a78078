import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { Store } from '../store/client'

/** What a reading verb stands on. */
export interface ReadDeps {
  readonly store: Store
  /** The spec in force. */
  readonly spec: () => PipelineSpec
  /** Wall clock, ms. */
  readonly now: () => number
}

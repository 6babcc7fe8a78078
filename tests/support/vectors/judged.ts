import type { Comparison } from './compare'
import type { Element, Step } from './steps'
import type { Lane } from './windowRun'

/** What a vector expects against what the engine did, and the run behind it where there is one. */
export interface Judged {
  readonly comparisons: readonly Comparison[]
  readonly steps: readonly Step[]
  readonly elements: readonly Element[]
  readonly lanes: readonly Lane[]
}

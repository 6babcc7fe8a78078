import type { EventBatch } from './eventBatch'
import type { PipelineSpec } from './pipelineSpec'
import type { Rejected } from './quarantine'

/**
 * One record of the journal: everything that can change the engine's state. The state is a fold over these and
 * over nothing else (design.md §1.3). `at` is journal time in ms and never goes back.
 */
export type JournalEntry =
  | {
      readonly kind: 'events'
      readonly at: number
      readonly batch: EventBatch
      readonly rejected: readonly Rejected[]
    }
  /** Time passes while nothing is sent, so that idleness is seen (semantics.md §3). */
  | { readonly kind: 'tick'; readonly at: number }
  /** The server was away from `pausedAt` to `at`: timers of active sources did not run in between. */
  | { readonly kind: 'resumed'; readonly at: number; readonly pausedAt: number }
  /** The pipeline's definition from here on; the first record of every journal. */
  | { readonly kind: 'spec'; readonly at: number; readonly spec: PipelineSpec }
  /** Nothing more will come (a replayed file): the watermark goes to the end of time. */
  | { readonly kind: 'end'; readonly at: number }

export type JournalKind = JournalEntry['kind']

/** An entry at its place: positions start at 1 and have no gaps. */
export type JournalRecord = JournalEntry & { readonly position: number }

import type { Command, Order } from './command'
import type { EventBatch } from './eventBatch'
import type { PipelineSpec } from './pipelineSpec'
import type { Rejected } from './quarantine'

/** A producer's word that nothing before `mark` is still to come (semantics.md §2, punctuated). */
export interface Mark {
  /** It stands before row `row` of the record's batch; `batch.count` is after the last. In order. */
  readonly row: number
  readonly source: string
  /** Event time in ms: an event with this time is still in time. */
  readonly mark: number
  /** Journal time, ms. */
  readonly at: number
}

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
      /** Marks among the events; none when left out. */
      readonly marks?: readonly Mark[]
    }
  /** Time passes while nothing is sent, so that idleness is seen (semantics.md §3). */
  | { readonly kind: 'tick'; readonly at: number }
  /** From here to the next `resumed` the server takes nothing: timers of active sources stand still. */
  | { readonly kind: 'paused'; readonly at: number }
  /** The server took nothing from `pausedAt` (or the `paused` record, if earlier) to `at`. */
  | { readonly kind: 'resumed'; readonly at: number; readonly pausedAt: number }
  /** The pipeline's first definition: the first record of every journal. Later ones come as commands. */
  | { readonly kind: 'spec'; readonly at: number; readonly spec: PipelineSpec }
  | { readonly kind: 'command'; readonly at: number; readonly command: Command; readonly order: Order }
  /** Nothing more will come (a replayed file): the watermark goes to the end of time. */
  | { readonly kind: 'end'; readonly at: number }

export type JournalKind = JournalEntry['kind']

/** A damaged record that an operator had passed over: it stands at its place and does nothing. Never written. */
interface Skipped {
  readonly kind: 'skipped'
  readonly at: number
}

/** An entry at its place: positions start at 1 and have no gaps. */
export type JournalRecord = (JournalEntry | Skipped) & { readonly position: number }

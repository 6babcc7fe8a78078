import type { SpecWarning } from './specWarnings'
import type { StorageStatus } from './storage'
import type { Strategy } from './strategy'

/**
 * Counters of the five outcomes (semantics.md §1): `received` is their sum at every moment. Commands of the late store
 * move events between them: a re-injected event becomes `corrected`, a voided one `late`, a proven repeat `duplicate`.
 */
export interface OutcomeCounts {
  readonly received: number
  readonly inTime: number
  readonly corrected: number
  readonly late: number
  readonly duplicate: number
  readonly quarantined: number
  /** Duplicates whose time or content differs from the first; a part of `duplicate`, not a sixth outcome. */
  readonly conflict: number
  /** Accepted events of test sources: received and checked, never counted; outside of `received` (semantics.md §3). */
  readonly test: number
  /** Counted events whose key was folded into `__other__` in some view; a part of inTime and corrected. */
  readonly overflow: number
}

export type SourceState = 'never' | 'active' | 'idle' | 'retired'

/** One source as the console shows it. Times are journal time in ms; null is "never". */
export interface SourceStatus extends OutcomeCounts {
  readonly name: string
  readonly declared: boolean
  readonly state: SourceState
  readonly watermark: number | null
  readonly maxEventTime: number | null
  readonly lastRecordAt: number | null
  /** When it counts as idle if nothing comes; null where idleness is off. */
  readonly idleAt: number | null
  readonly idleTimeout: number | null
  readonly strategy: Strategy['kind']
  /** Out-of-orderness bound in force, ms; what an adaptive source has learned; null for a punctuated one. */
  readonly bound: number | null
  readonly isTest: boolean
  /** More than half of its last 200 events were a day older than what it had sent: it sends history again. */
  readonly resendsHistory: boolean
  /** How far its watermark is ahead of the slowest active source's, ms; null without either. */
  readonly drift: number | null
  /** Alignment would have it wait (semantics.md §3). */
  readonly wouldPause: boolean
  /** Its watermark is the pipeline's: it is what the others wait for. */
  readonly holdsBack: boolean
}

/** Memory of the engine's parts, bytes; measured, not estimated, but for objects that are counted at a fixed size. */
export interface StateSize {
  readonly ids: number
  readonly distinct: number
  readonly rows: number
  readonly keys: number
  readonly sources: number
  readonly total: number
}

/** How the pipeline stands, as of `at`. */
export interface PipelineStatus {
  /** Server's clock, ms. */
  readonly now: number
  /** Journal time of the last folded record; null before the first. */
  readonly at: number | null
  readonly watermark: number | null
  /** Last position that is durable in the journal, and last one whose results are committed. */
  readonly journaled: number
  readonly committed: number
  /** When the database last took a write of results or answered a question of the runner, server's clock, ms. */
  readonly databaseAt: number
  readonly sources: readonly SourceStatus[]
  readonly counts: OutcomeCounts
  readonly openWindows: number
  readonly firedWindows: number
  /** Ids that duplicates are looked up among. */
  readonly liveIds: number
  readonly maxLiveIds: number
  readonly state: StateSize
  /** What the definition in force will surely disappoint in, in words. */
  readonly warnings: readonly SpecWarning[]
  readonly allowedLateness: number
  readonly zone: string
  /** The server is still folding what the journal holds. */
  readonly catchingUp: boolean
  /** This server follows the one that leads there, and writes nothing; null while it leads itself. */
  readonly standby: { readonly leader: string } | null
  /** Views of a change of the definition are being filled: position of the command, and how far; null mostly. */
  readonly backfill: { readonly change: number; readonly position: number } | null
  /** Why results are not being written, in words; null when all is well. */
  readonly trouble: string | null
  /** Room for the database; absent where nobody measures it. */
  readonly storage?: StorageStatus
}

/** Counters of the five outcomes (semantics.md §1): `received` is their sum at every moment. */
export interface OutcomeCounts {
  readonly received: number
  readonly inTime: number
  readonly corrected: number
  readonly late: number
  readonly duplicate: number
  readonly quarantined: number
  /** Duplicates whose time or content differs from the first; a part of `duplicate`, not a sixth outcome. */
  readonly conflict: number
}

export type SourceState = 'never' | 'active' | 'idle'

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
  readonly bound: number
  /** Its watermark is the pipeline's: it is what the others wait for. */
  readonly holdsBack: boolean
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
  readonly sources: readonly SourceStatus[]
  readonly counts: OutcomeCounts
  readonly openWindows: number
  readonly firedWindows: number
  /** Ids that duplicates are looked up among. */
  readonly liveIds: number
  readonly allowedLateness: number
  readonly zone: string
  /** The server is still folding what the journal holds. */
  readonly catchingUp: boolean
  /** Why results are not being written, in words; null when all is well. */
  readonly trouble: string | null
}

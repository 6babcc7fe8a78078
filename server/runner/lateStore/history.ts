import type { EventId, LateChangeKind } from '../../contracts/lateStore'
import type { FoundWindow, WantedWindow } from '../../engine/reconcile/hydrator'
import type { PastRecord, Stretch } from '../../engine/reconcile/pastScan'

/** What the late store knows of an id, as of a journal position. */
export interface IdFacts {
  /** Last change by a command; that a repeat was confirmed does not undo what the event itself became. */
  readonly last: LateChangeKind | null
  /** Which way a command last moved it: into the figures or out of them; null: none did. */
  readonly moved: 'reconciled' | 'voided' | null
  /** Times that it came late, and how many of them commands have accounted for. */
  readonly came: number
  readonly settled: number
  /** Position up to which no counted event has it; 0: not known. What is proven once holds for ever. */
  readonly verifiedTo: number
}

/**
 * The past, for commands of the late store: records with events, rows and facts, each as of before a journal position
 * (`before`), whatever came since. So a replay that comes to a command again finds what the first fold found.
 */
export interface LateHistory {
  /** By `idName`; ids that nothing is known of are left out. */
  ids(ids: readonly EventId[], before: number): Promise<ReadonlyMap<string, IdFacts>>
  /** Those of these positions that the journal holds, in order. */
  at(positions: readonly number[], before: number): AsyncIterable<PastRecord>
  /** Records that may hold events of a stretch of event time, or of journal time, in order. */
  within(stretch: Stretch, byJournal: boolean, before: number): AsyncIterable<PastRecord>
  /** Records above a position that may hold events of these sources, in order. */
  after(position: number, sources: readonly string[], before: number): AsyncIterable<PastRecord>
  /** By `windowName`, with the rows of the wanted keys; windows that were never published are left out. */
  windows(wanted: readonly WantedWindow[], before: number): Promise<ReadonlyMap<string, FoundWindow>>
  /** Texts of all keys of windows that have a row of their own, by `windowName`. */
  keys(windows: readonly WantedWindow[], before: number): Promise<ReadonlyMap<string, ReadonlySet<string>>>
  /** Journal time from which on the journal is whole and the outcomes of its events are known, ms; null: from its start. */
  wholeFrom(): Promise<number | null>
}

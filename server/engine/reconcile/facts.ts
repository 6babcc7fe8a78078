import type { EventFields } from '../../contracts/eventBatch'
import type { EventPlace, LateChangeKind } from '../../contracts/lateStore'

/** What is known of one event of a command from the journal before the command's position (semantics.md §6). */
export interface EventFacts {
  readonly place: EventPlace
  /** The event as the journal holds it there; null: the journal does not hold it, or another one stands there. */
  readonly event: EventFields | null
  /** It is in the figures: it was counted when it came or re-injected, and not voided since. */
  readonly counted: boolean
  /** It was counted when it came, as a correction. */
  readonly corrected: boolean
  /** Last change of its id by a command; null: none. */
  readonly last: LateChangeKind | null
  /** Which way a command last moved it: into the figures or out of them; null: none did. */
  readonly moved: 'reconciled' | 'voided' | null
  /** Times that its id came late and that no command has accounted for. */
  readonly unsettled: number
  /** Its id came late at some time. */
  readonly cameLate: boolean
  /** Another event with its id is counted. */
  readonly countedElsewhere: boolean
  /** The command says that its time or content differs from the first with its id. */
  readonly conflict: boolean
  /** The journal no longer holds all events of the windows that it belongs to. */
  readonly incomplete: boolean
}

/** Why a command does not apply to an event. */
export type Problem =
  | 'unknown'
  | 'gone'
  | 'incomplete'
  | 'counted'
  | 'repeat'
  | 'not_counted'
  | 'written_off'
  | 'settled'
  | 'named_twice'

/** Said after a number of events: "3 events are counted already". */
export const PROBLEMS: Readonly<Record<Problem, string>> = {
  unknown: 'not known there: the late store, or the journal at that place, has no such event',
  gone: 'no longer in the journal, so they can only be written off',
  incomplete: 'in windows whose other events the journal no longer holds, so they can only be written off',
  counted: 'counted already',
  repeat: 'repeats of an event that was counted',
  not_counted: 'not counted now, so there is nothing to take out',
  written_off: 'written off already',
  settled: 'accounted for already',
  named_twice: 'named twice',
}

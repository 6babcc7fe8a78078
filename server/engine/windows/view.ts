import type { EventBatch } from '../../contracts/eventBatch'
import type { Instant } from '../../contracts/instant'
import type { ViewSpec } from '../../contracts/viewSpec'
import type { BatchKeys, KeysByGrouping } from '../aggregate/batchKeys'
import type { Emitter, Moment } from '../emitter'
import type { TouchedRows } from '../row'
import type { SegmentReader, SegmentWriter } from '../snapshot/segment'
import type { WindowState } from './windowState'

/** The event that is being folded: one object for all events of a fold, filled anew for each. */
export interface EventInHand {
  batch: EventBatch
  row: number
  /** Journal time and event time, ms. */
  at: number
  eventTime: number
  isOrder: boolean
  amountHi: number
  amountLo: number
  /** Hashes of the batch's strings, and where in them those of its order and user stand; -1: no user. */
  hashes: Int32Array
  orderHash: number
  userHash: number
  /** Pipeline watermark under which it is folded. */
  watermark: Instant
  /** Sources that are idle now: what a window that is born fired was complete without. */
  leftOut: () => readonly string[]
  /** Set by a view that counted it under `__other__`. */
  overflow: boolean
}

/** Why an event is late: the window that it came too late for. */
export interface LateWindow {
  readonly start: number
  readonly end: number
}

/** Windows that a counted event came too late for. */
export interface Missed {
  readonly windows: number
  readonly firstStart: number
  readonly lastEnd: number
}

/** A window that an event belongs to, whatever became of it (semantics.md §6). */
export interface Place {
  readonly windowId: number
  readonly start: number
  readonly end: number
  /** The window where it is held: what changes in it counts on. */
  readonly held: WindowState | null
  /** It closed, or would have: it is not held, and no event can open it. */
  readonly closed: boolean
}

/** A row that a command changed in a window that is held. */
export interface Changed {
  readonly window: WindowState
  readonly ordinal: number
}

/**
 * The stretch of time and the row whose counted events say whether an id is still in a window that an event is taken
 * out of: a set of distinct ids does not count how often each was added.
 */
export interface Scope {
  readonly name: string
  readonly from: number
  readonly to: number
  /** Text of the row's key. */
  readonly key: string
  readonly isOther: boolean
  /** Whether events of the key that `keys` last looked at have a row of their own there, and are not folded away. */
  readonly isOwn: (keys: BatchKeys, row: number) => boolean
}

/** How many other counted events of a scope have the order (or buyer) of the event that is taken out. */
export type OthersWith = (scope: Scope, kind: 'orders' | 'buyers') => number

/** What firing and closing need beside the windows. */
export interface Passing extends Moment {
  readonly leftOut: readonly string[]
}

/** The windows of one view: which events they count, when they fire and when they close (semantics.md §4). */
export interface View {
  spec: ViewSpec
  readonly isBase: boolean
  /** Windows that have not fired, that have, and that are held at all. */
  readonly openCount: number
  readonly firedCount: number

  /** The events from here on are those of another batch, which has these keys. */
  beginBatch(keys: KeysByGrouping): void
  /** Counts an event in its windows that are not closed. True when one of them had fired: it corrects. */
  count(event: EventInHand, emit: Emitter): boolean
  /** The windows that an event belongs to at its event time (a journal view: journal time), as they stand now. */
  placesOf(eventTime: number, at: number, now: Moment): Place[]
  /** Counts a re-injected event in its windows that are not closed; they are opened if need be. Publishes nothing. */
  recount(event: EventInHand, now: Moment): Changed[]
  /** Where to look for others like a counted event, in the windows of its that are held; null: none is. */
  scopeOf(event: EventInHand): Scope | null
  /** Takes a counted event out of its windows that are held. Publishes nothing. */
  takeOut(event: EventInHand, others: OthersWith): Changed[]
  /** Fires what is due under a risen watermark (a journal view: at journal time). */
  fireDue(passing: Passing, emit: Emitter): void
  /** Closes what can be closed. `released` hears of the ordinals under which ids were kept. */
  closeDue(passing: Passing, emit: Emitter, released: (ordinal: number) => void): void
  /** Fires every window that holds an event and has not fired, though the watermark is not there. */
  fireAll(passing: Passing, emit: Emitter): void
  /** L changed: when windows close must be worked out again. */
  reschedule(): void
  /** Rows of all windows that are held. */
  liveRows(): Iterable<TouchedRows>
  windows(): Iterable<WindowState>
  save(out: SegmentWriter): void
  restore(from: SegmentReader): void
  size(): { distinct: number; rows: number; keys: number }
}

/** The view whose windows decide what is late. */
export interface BaseView extends View {
  /** The window that an event is too late for, or null: it can be counted. */
  lateFor(event: EventInHand): LateWindow | null
  /** After `count`: ordinal of the window under which the event's id is kept. */
  readonly holder: number
  /** After `count`: windows of the event that were closed to it. */
  readonly missed: Missed | null
  /** Latest instant at which a window that is held and overlaps `[from, to]` closes; MIN when there is none. */
  closesLatest(from: number, to: number): Instant
  /** Smallest start of the windows that are held; MAX when there is none. */
  firstStart(): Instant
}

/** What tells a window from those of all views. */
export function windowName(view: string, windowId: number): string {
  return `${view}@${windowId}`
}

import type { EventBatch } from '../../contracts/eventBatch'
import type { View } from '../windows/view'
import type { Judged } from './judge'
import type { PastRow, StoredRow } from './pastRow'

/** An event of the command in one closed window. */
export interface Touch {
  /** Row of the hydration's batch. */
  readonly row: number
  readonly view: View
  readonly windowId: number
  readonly start: number
  readonly end: number
  /** Text of the row's key there: its own, or `__other__` where the window folded it into that. */
  readonly key: string
  readonly isOther: boolean
}

/** What holds for all rows of a closed window. */
export interface StoredWindow {
  readonly byInactivity: boolean
  readonly leftOut: readonly string[]
  /** Rows as last published, by their key's text. */
  readonly rows: ReadonlyMap<string, StoredRow>
}

/**
 * What the fold of a late-store command needs beside the state: a function of the journal before the command's
 * position, so that a replay is handed the same (semantics.md §6).
 */
export interface Hydration {
  readonly judged: Judged
  /** The accepted events, in the command's order. */
  readonly batch: EventBatch
  /** Closed windows that they belong to. Empty for commands that change no window. */
  readonly touches: readonly Touch[]
  /** Those windows by `windowName`. */
  readonly stored: ReadonlyMap<string, StoredWindow>
  /** What the counted events of touched rows say, by `pastName`: of closed windows, and of scopes that are taken out of. */
  readonly past: ReadonlyMap<string, PastRow>
}

/** What tells a row of a closed window, or of a scope, from all others. */
export function pastName(place: string, key: string): string {
  return `${place} ${key}`
}

import type { EventId, EventPlace } from '../../contracts/lateStore'
import type { RunnerPort } from '../../runner/port'
import type { Store } from '../../store/client'

/** Which counted events to take out: named, or all of a stretch of event time, or of journal positions. */
export type Selection =
  | { readonly events: readonly EventId[] }
  /** Of one source, `from <= event time < to`, ms. */
  | { readonly source: string; readonly from: number; readonly to: number }
  /** Journal positions, both ends included; of one source where it is named. */
  | { readonly positions: { readonly first: number; readonly last: number }; readonly source?: string }

/** What the verbs of the late store need of the journal. */
export interface LatePast {
  /** Notes up to where no counted event has the ids of these, so that the engine is not kept waiting for it. */
  verify(places: readonly EventPlace[]): Promise<void>
  /** Counted events of a selection in their order in the journal, at most `limit`. */
  counted(selection: Selection, limit: number): Promise<readonly EventPlace[]>
}

export interface LateDeps {
  readonly store: Store
  readonly runner: Pick<RunnerPort, 'command'>
  readonly past: LatePast
}

/** Who asks, and why: both stand in the audit. */
export interface Asking {
  /** The API key that the request came with, which was right. */
  readonly key: { readonly id: string; readonly name: string }
  readonly reason: string
}

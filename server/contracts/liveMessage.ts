import { z } from 'zod'
import type { PipelineStatus } from './status'
import type { Revision, WindowRow } from './windowRow'

/** Namespace of the sockets (design.md §3, Live). */
export const LIVE_NAMESPACE = '/live'

/** Client → server. `since` is the position of the last message that the client holds for this view. */
export const Subscribe = z.object({
  view: z.string().max(64),
  /** Only rows whose dimension has this value. */
  filter: z.record(z.string().max(64), z.string().max(128)).default({}),
  /** Only windows that start at or after this instant, ms; the last 25 hours when it is left out. */
  from: z.number().int().optional(),
  since: z.number().int().nonnegative().optional(),
})
export type Subscribe = z.infer<typeof Subscribe>

/**
 * Server → client. Values are absolute, so applying one twice is harmless. A delta follows on from `prev`: a client
 * whose own position is less than `prev` has missed something and subscribes again with `since`.
 */
export interface Snapshot {
  readonly view: string
  readonly pos: number
  /** true: only what changed at or after the `since` that was asked for; false: everything. */
  readonly partial: boolean
  readonly windows: readonly WindowRow[]
  readonly watermark: number | null
}

export interface Delta {
  readonly view: string
  readonly prev: number
  readonly pos: number
  readonly windows: readonly WindowRow[]
  readonly watermark: number | null
}

/** The client fell too far behind, or asked for what cannot be given: subscribe again without `since`. */
export interface Resync {
  readonly view: string
  readonly reason: string
}

export interface ServerToClient {
  snapshot: (message: Snapshot) => void
  delta: (message: Delta) => void
  resync: (message: Resync) => void
  /** Published corrections of the total view, newest last. */
  corrections: (message: { readonly pos: number; readonly revisions: readonly Revision[] }) => void
  /** Once a second; its absence is how a page knows that it is stale. */
  health: (message: PipelineStatus) => void
}

export interface ClientToServer {
  subscribe: (message: z.input<typeof Subscribe>) => void
}

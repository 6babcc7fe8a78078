import { AppError } from '../platform/errors'
import { RefusalBracket, type RefusalBracketDeps } from './refusalBracket'

/** Why a source's next request cannot be taken: which limit of the pipeline is reached, and in words how to mend it. */
export interface Full {
  /** `maxLiveIds` and the disk are full for all sources at once, `maxSources` for new names only. */
  readonly limit: 'maxLiveIds' | 'maxSources' | 'disk'
  readonly message: string
}

/** What the engine's state has room for; null: the request may come. Asked for each request, so it must be cheap. */
export type Capacity = (source: string) => Full | null

/** Room comes back when windows close, which takes seconds at least. */
const RETRY_AFTER = 10
/** Room on a disk is made by people. */
const RETRY_AFTER_DISK = 30

/** Throws AppError `state_full` or `disk_full` for a source that there is no room for; nothing of the request is stored then. */
export type CapacityGate = (source: string) => void

/**
 * Refuses what the state has no room for (semantics.md §8), and has the journal know while all are refused. Without
 * a `capacity` there is always room.
 */
export function createCapacityGate(deps: RefusalBracketDeps, capacity: Capacity = () => null): CapacityGate {
  const bracket = new RefusalBracket(deps)
  const isFull = (source: string) => isForAll(capacity(source))
  return (source) => {
    const full = capacity(source)
    if (!full) return bracket.take()
    if (isForAll(full)) bracket.refuse(() => isFull(source))
    const disk = full.limit === 'disk'
    throw new AppError(
      disk ? 'disk_full' : 'state_full',
      `${full.message} Nothing was stored; send the same again later`,
      { retryAfter: disk ? RETRY_AFTER_DISK : RETRY_AFTER },
    )
  }
}

function isForAll(full: Full | null): boolean {
  return full !== null && full.limit !== 'maxSources'
}

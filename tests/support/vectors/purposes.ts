import type { Judged } from './judged'
import { closedSession, laterSession, sessionBorder, touchingSessions } from './purposes/sessions'
import {
  droppedByElement,
  largestOfPartitions,
  maximumWhenAllIdle,
  processingBorder,
  smallestOfBatch,
  valve,
} from './purposes/times'
import type { Vector } from './schema'

/**
 * Rules of other systems that ours differ from on purpose. Looked at only where something differs; each says its reason
 * only if the vector and the run hold its cause, to the millisecond. The line of the vector shows the difference too.
 */
const PURPOSES: readonly ((vector: Vector, judged: Judged) => string | null)[] = [
  touchingSessions,
  sessionBorder,
  closedSession,
  laterSession,
  droppedByElement,
  maximumWhenAllIdle,
  valve,
  largestOfPartitions,
  processingBorder,
  smallestOfBatch,
]

/** Why a vector comes out otherwise on purpose; null: it does not. */
export function onPurpose(vector: Vector, judged: Judged): string | null {
  for (const purpose of PURPOSES) {
    const reason = purpose(vector, judged)
    if (reason !== null) return reason
  }
  return null
}

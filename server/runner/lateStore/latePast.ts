import type { EventId, EventPlace } from '../../contracts/lateStore'
import type { Store } from '../../store/client'
import { pipelinePosition } from '../../store/pipelinePosition'
import { countedAt, countedByIds, countedInTime } from './findCounted'
import type { LateHistory } from './history'
import { verifyFurther } from './verifyLate'

type Wanted =
  | { readonly events: readonly EventId[] }
  | { readonly source: string; readonly from: number; readonly to: number }
  | { readonly positions: { readonly first: number; readonly last: number }; readonly source?: string }

/** What the verbs of the late store ask of the journal, as of the last committed position. */
export function createLatePast(store: Store, history: LateHistory) {
  return {
    verify: (places: readonly EventPlace[]) => verifyFurther({ store, history }, places),
    async counted(wanted: Wanted, limit: number): Promise<EventPlace[]> {
      const before = (await pipelinePosition(store)) + 1
      if ('events' in wanted) return countedByIds(history, wanted.events, before)
      if ('positions' in wanted) {
        return countedAt(history, { ...wanted.positions, source: wanted.source }, before, limit)
      }
      return countedInTime(history, wanted, before, limit)
    },
  }
}

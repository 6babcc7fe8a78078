import type { LateCommand } from '../../contracts/command'
import type { LateChangeKind } from '../../contracts/lateStore'
import { type Counts, countsOf, type EngineState } from '../state'
import type { EventFacts } from './facts'

export const CHANGES: Readonly<Record<LateCommand['kind'], LateChangeKind>> = {
  reinject: 'reconciled',
  void: 'voided',
  writeOff: 'written_off',
  confirmDuplicates: 'duplicate',
}

/**
 * Moves an event between the outcomes, so that `received` stays their sum (semantics.md §1). Returns how many late
 * occurrences of its id are accounted for by this. A re-injected event becomes `corrected` and its other late
 * repeats `duplicate`; a voided one becomes `late`; one that is written off stays late.
 */
export function moveCounts(state: EngineState, kind: LateCommand['kind'], facts: EventFacts): number {
  const { unsettled, moved, corrected } = facts
  const counts = countsOf(state, facts.place.source)
  const move = (from: keyof Counts, to: keyof Counts, by = 1) => {
    for (const of of [counts, state.counts]) {
      of[from] -= by
      of[to] += by
    }
  }
  switch (kind) {
    case 'void':
      move(moved === 'reconciled' || corrected ? 'corrected' : 'inTime', 'late')
      return 0
    case 'reinject': {
      // A voided one is late once more than it came late.
      const repeats = moved === 'voided' ? unsettled : unsettled - 1
      move('late', 'corrected')
      move('late', 'duplicate', repeats)
      return unsettled
    }
    case 'confirmDuplicates':
      move('late', 'duplicate', unsettled)
      return unsettled
    case 'writeOff':
      return 0
  }
}

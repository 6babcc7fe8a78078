import { shareOf } from '@/app/lib/format/decimal'
import { count, percent } from '@/app/lib/format/number'
import type { OutcomeCounts } from '@/server/contracts/status'

export interface Layer {
  readonly id: 'inTime' | 'corrected' | 'late' | 'duplicate' | 'quarantined'
  readonly label: string
  readonly count: string
  readonly share: string
  /** Where such an event is now. */
  readonly meaning: string
}

export interface Layers {
  readonly received: string
  readonly layers: readonly Layer[]
  /** "1,204 received = 1,180 + 12 + 3 + 8 + 1" */
  readonly identity: string
  readonly holds: boolean
}

const WORDS = [
  ['inTime', 'In time', 'The watermark waited for it.'],
  ['corrected', 'Corrected', 'It came after a window of its had fired; the window has a new revision.'],
  ['late', 'Late', 'Its window was closed. It waits in the late store and is in no figure.'],
  ['duplicate', 'Duplicates', 'Sent before under the same id; counted once.'],
  ['quarantined', 'Quarantined', 'It failed its check and is kept as it came. It moved no watermark.'],
] as const

/** The five outcomes and the identity that nothing is uncounted (semantics.md §1), shown and checked. */
export function prepareLayers(counts: OutcomeCounts): Layers {
  const sum = WORDS.reduce((total, [id]) => total + counts[id], 0)
  const parts = WORDS.map(([id]) => count(counts[id])).join(' + ')
  const holds = sum === counts.received
  return {
    received: count(counts.received),
    layers: WORDS.map(([id, label, meaning]) => ({
      id,
      label,
      meaning,
      count: count(counts[id]),
      share: percent(shareOf(counts[id], counts.received)),
    })),
    identity: `${count(counts.received)} received ${holds ? '=' : '≠'} ${parts}`,
    holds,
  }
}

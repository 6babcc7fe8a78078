import { shareOf } from '@/app/lib/format/decimal'
import { count, percent } from '@/app/lib/format/number'
import type { PipelineStatus, StateSize } from '@/server/contracts/status'

export interface SizeLine {
  readonly id: keyof StateSize
  readonly label: string
  readonly size: string
}

export interface SystemFacts {
  readonly sizes: readonly SizeLine[]
  readonly ids: string
  /** Share of the limit of live ids, in percent of it, 0 to 100. */
  readonly idsPercent: number
  readonly idsShare: string
  readonly warnings: readonly { readonly path: string; readonly message: string }[]
}

const PARTS: readonly (readonly [keyof StateSize, string])[] = [
  ['ids', 'event ids'],
  ['distinct', 'distinct orders and buyers'],
  ['rows', 'rows of open windows'],
  ['keys', 'their keys'],
  ['sources', 'sources'],
  ['total', 'all of it'],
]

/** Bytes as a person reads them: KB below a tenth of a megabyte, else MB. */
export function bytes(value: number): string {
  if (value < 100_000) return `${count(Math.ceil(value / 1_000))} KB`
  const mb = value / 1_000_000
  return `${mb < 10 ? mb.toFixed(1) : count(Math.round(mb))} MB`
}

/** What the engine holds, part by part, and how near it is to its limit. */
export function prepareSystem(status: PipelineStatus): SystemFacts {
  const { state, liveIds, maxLiveIds, warnings } = status
  return {
    sizes: PARTS.map(([id, label]) => ({ id, label, size: bytes(state[id]) })),
    ids: `${count(liveIds)} of ${count(maxLiveIds)} ids`,
    idsPercent: Math.min(100, (liveIds / maxLiveIds) * 100),
    idsShare: percent(shareOf(liveIds, maxLiveIds)),
    warnings,
  }
}

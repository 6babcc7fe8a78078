import { shareOf } from '@/app/lib/format/decimal'
import { count, counted, percent } from '@/app/lib/format/number'
import type { PipelineStatus, StateSize } from '@/server/contracts/status'
import type { StorageStatus } from '@/server/contracts/storage'

export interface SizeLine {
  readonly id: keyof StateSize
  readonly label: string
  readonly size: string
}

/** What lies on disk. */
export interface StorageFacts {
  readonly lines: readonly { readonly label: string; readonly size: string }[]
  /** What the journal no longer holds, and so nobody can put back; null: nothing. */
  readonly writtenOff: string | null
}

export interface SystemFacts {
  readonly sizes: readonly SizeLine[]
  readonly ids: string
  /** Share of the limit of live ids, in percent of it, 0 to 100. */
  readonly idsPercent: number
  readonly idsShare: string
  /** null until it was measured. */
  readonly storage: StorageFacts | null
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

/** Tables by the names that pages give to what is in them; any other as it is called. */
const TABLES: Readonly<Record<string, string>> = {
  journal: 'journal',
  window_row: 'windows',
  revision: 'revisions',
  late_event: 'late store',
  snapshot_segment: 'snapshots',
  quarantine: 'quarantine',
}
/** Tables that are named; the rest is in the whole. */
const MOST_TABLES = 4
const GB = 1_000_000_000

/** Bytes as a person reads them: KB below a tenth of a megabyte, GB from ten thousand on, else MB. */
export function bytes(value: number): string {
  if (value < 100_000) return `${count(Math.ceil(value / 1_000))} KB`
  if (value >= 10 * GB) return `${count(Math.round(value / GB))} GB`
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
    storage: status.storage ? storageOf(status.storage) : null,
    warnings,
  }
}

function storageOf(storage: StorageStatus): StorageFacts {
  const { databaseBytes, maxBytes, freeBytes, diskBytes, tables, lateWrittenOff } = storage
  const whole = databaseBytes === null ? 'not known yet' : bytes(databaseBytes)
  return {
    lines: [
      ...tables
        .slice(0, MOST_TABLES)
        .map((table) => ({ label: TABLES[table.name] ?? table.name, size: bytes(table.bytes) })),
      { label: 'the whole database', size: maxBytes === null ? whole : `${whole} of ${bytes(maxBytes)}` },
      ...(freeBytes === null || diskBytes === null
        ? []
        : [{ label: 'free on its disk', size: `${bytes(freeBytes)} of ${bytes(diskBytes)}` }]),
    ],
    writtenOff:
      lateWrittenOff === 0
        ? null
        : `${counted(lateWrittenOff, 'late order')} waited longer than the journal is kept and can no longer be put back.`,
  }
}

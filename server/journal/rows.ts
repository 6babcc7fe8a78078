import type { JournalEntry, JournalRecord } from '../contracts/journalRecord'
import { decodeEntry, KIND_NUMBERS } from './codec'
import { JournalDamaged } from './port'

/** One row of the journal table, as it is written. */
export interface JournalRow {
  readonly position: number
  readonly kind: number
  readonly at: number
  /** The one source of its events; null when it has none or several. */
  readonly source: string | null
  readonly eventCount: number
  readonly rejectedCount: number
  readonly minEventTime: number | null
  readonly maxEventTime: number | null
  readonly checksum: number
  readonly body: Uint8Array
}

/** The columns beside the body: what a person and an index look for. */
export function describe(entry: JournalEntry): Omit<JournalRow, 'position' | 'body' | 'checksum'> {
  const common = { kind: KIND_NUMBERS[entry.kind], at: entry.at }
  if (entry.kind !== 'events') {
    return {
      ...common,
      source: null,
      eventCount: 0,
      rejectedCount: 0,
      minEventTime: null,
      maxEventTime: null,
    }
  }
  const { batch, rejected } = entry
  let least: number | null = null
  let most: number | null = null
  for (const t of batch.eventTime) {
    if (least === null || t < least) least = t
    if (most === null || t > most) most = t
  }
  return {
    ...common,
    source: onlySource(entry),
    eventCount: batch.count,
    rejectedCount: rejected.length,
    minEventTime: least,
    maxEventTime: most,
  }
}

function onlySource(entry: Extract<JournalEntry, { kind: 'events' }>): string | null {
  const { batch, rejected, marks = [] } = entry
  const first = batch.source[0]
  if (first === undefined) return rejected[0]?.source ?? marks[0]?.source ?? null
  if (!batch.source.every((s) => s === first)) return null
  const { bytes, offsets } = batch.strings
  return new TextDecoder().decode(bytes.subarray(offsets[first], offsets[first + 1]))
}

/** Throws JournalDamaged for a row that is not what was written. */
export function toRecord(
  row: Pick<JournalRow, 'position' | 'kind' | 'at' | 'body' | 'checksum'> & {
    /** An operator had it passed over. */
    readonly skipped?: boolean
  },
): JournalRecord {
  const { position, kind, at } = row
  if (row.skipped) return { kind: 'skipped', at, position }
  try {
    return { ...decodeEntry(kind, at, row.body, row.checksum), position }
  } catch (cause) {
    throw new JournalDamaged(position, (cause as Error).message, { cause })
  }
}

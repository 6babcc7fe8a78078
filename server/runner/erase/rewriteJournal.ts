import type { JournalRecord } from '../../contracts/journalRecord'
import { checksumOf, encodeEntry } from '../../journal/codec'
import { toRecord } from '../../journal/rows'
import { readRecords, type StoredRecord } from '../../store/audit/scope'
import { journalEnd, replaceBody } from '../../store/erase/journal'
import { readSkipped } from '../../store/erase/skipped'
import type { Transaction } from '../../store/write/rows'
import { AuditProblem } from '../audit/problem'
import { rewriteEvents } from './rewriteEvents'
import type { Swap } from './swap'

const READ_AT_ONCE = 64
/** "x": what stands over the id in a record that cannot be read. */
const MASK = 0x78

export interface JournalRewritten {
  readonly records: number
  readonly events: number
  /** Last position of the journal. */
  readonly position: number
}

/** Rewrites every record that holds the user id, also those that no result follows from yet. */
export async function rewriteJournal(tx: Transaction, swap: Swap): Promise<JournalRewritten> {
  const end = await journalEnd(tx)
  const skipped = await readSkipped(tx)
  let records = 0
  let events = 0
  for (let at = 0; at < end; ) {
    const page = await readRecords(tx, at, end, READ_AT_ONCE)
    for (const row of page) {
      at = row.position
      const found = skipped.has(at) ? await maskSkipped(tx, row, swap) : await rewrite(tx, row, swap)
      if (found !== null) records++
      events += found ?? 0
    }
    if (page.length === 0) break
  }
  return { records, events, position: end }
}

/** Returns the events of the user in it; null where it does not hold the id. */
async function rewrite(tx: Transaction, row: StoredRecord, swap: Swap): Promise<number | null> {
  const record = readable(row)
  if (record.kind !== 'events') return null
  const rewritten = rewriteEvents(record, swap)
  if (!rewritten) return null
  const body = encodeEntry(rewritten.entry)
  await replaceBody(tx, row.position, body, checksumOf(row.kind, row.at, body))
  return rewritten.events
}

function readable(row: StoredRecord): JournalRecord {
  try {
    return toRecord(row)
  } catch (error) {
    throw new AuditProblem((error as Error).message)
  }
}

/** A damaged record that the engine passes over is never read again: the id is written over, byte by byte. */
async function maskSkipped(tx: Transaction, row: StoredRecord, { user }: Swap): Promise<number | null> {
  const body = Buffer.from(row.body)
  const id = Buffer.from(user, 'utf8')
  const first = body.indexOf(id)
  if (first < 0) return null
  for (let at = first; at >= 0; at = body.indexOf(id, at + id.length)) body.fill(MASK, at, at + id.length)
  await replaceBody(tx, row.position, body, null)
  return 0
}

import { type EventBatch, EventBatchBuilder, eventAt } from '../../contracts/eventBatch'
import type { JournalEntry } from '../../contracts/journalRecord'
import { stringAt } from '../../contracts/stringTable'
import { concerns, type Swap, swapRejected } from './swap'

type EventsEntry = Extract<JournalEntry, { kind: 'events' }>

export interface Rewritten {
  readonly entry: EventsEntry
  /** Accepted events in it that were the user's. */
  readonly events: number
}

/** A record with the pseudonym for the user id; null where it does not hold it. */
export function rewriteEvents(entry: EventsEntry, swap: Swap): Rewritten | null {
  const rows = rowsOf(entry.batch, swap)
  const rejected = entry.rejected.map((one) => swapRejected(one, swap))
  if (rows.size === 0 && rejected.every((one, i) => one === entry.rejected[i])) return null
  const batch = rows.size > 0 ? rebuilt(entry.batch, rows, swap.pseudonym) : entry.batch
  return { entry: { ...entry, batch, rejected }, events: rows.size }
}

function rowsOf({ strings, count, userId, source }: EventBatch, swap: Swap): Set<number> {
  const rows = new Set<number>()
  const known = new Map<number, boolean>()
  const isUser = (index: number): boolean => {
    const found = known.get(index) ?? stringAt(strings, index) === swap.user
    known.set(index, found)
    return found
  }
  for (let row = 0; row < count; row++) {
    const user = userId[row] ?? 0
    if (user !== 0 && isUser(user) && concerns(swap, stringAt(strings, source[row] ?? 0))) rows.add(row)
  }
  return rows
}

/** All of it anew: one string may stand in several columns, so it cannot be exchanged in the table of strings. */
function rebuilt(batch: EventBatch, rows: ReadonlySet<number>, pseudonym: string): EventBatch {
  const builder = new EventBatchBuilder(batch.strings.bytes.length + 64)
  for (let row = 0; row < batch.count; row++) {
    const event = eventAt(batch, row)
    builder.add(rows.has(row) ? { ...event, userId: pseudonym } : event)
  }
  return builder.build()
}

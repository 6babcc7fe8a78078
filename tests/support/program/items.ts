import type { z } from 'zod'
import type { Command } from '../../../server/contracts/command'
import type { Mark } from '../../../server/contracts/journalRecord'
import { batchOf, type Ev, type Run, rejectedOf, type SpecInput } from '../engine'
import type { SpecChange } from './changes'

/** One thing that happens to a pipeline, at journal time `at`. A journal record holds one or more of them. */
export type Item =
  | ({ kind: 'event'; at: number } & Required<Pick<Ev, 'source' | 'id' | 'order' | 'amount'>> & Ev)
  | { kind: 'mark'; at: number; source: string; mark: number }
  | { kind: 'reject'; at: number; source: string }
  | { kind: 'tick'; at: number }
  | { kind: 'paused'; at: number }
  | { kind: 'resumed'; at: number; pausedAt: number }
  | { kind: 'command'; at: number; command: z.input<typeof Command> }
  /** A `changeSpec`; what it says depends on the definition in force, so it is written out when its turn comes. */
  | { kind: 'change'; at: number; change: SpecChange }
  | { kind: 'end'; at: number }

export interface Program {
  readonly spec: SpecInput
  readonly items: readonly Item[]
  /** Item i begins a new record. Everything but events, marks and rejects always does. */
  readonly cuts: readonly boolean[]
  readonly start: number
}

/**
 * Records as lists of items: a random cut of the same stream. A rejected event has no journal time but its record's
 * (a request has one), so nothing of a later time joins it, unless `loose` (a replayed file may hold such records).
 */
export function recordsOf(items: readonly Item[], cuts: readonly boolean[], loose = false): Item[][] {
  const records: Item[][] = []
  const joins = (x?: Item) => x?.kind === 'event' || x?.kind === 'reject' || x?.kind === 'mark'
  items.forEach((item, i) => {
    const open = records.at(-1)
    const untimed = open?.some((x) => x.kind === 'reject') && open.at(-1)?.at !== item.at && !loose
    if (open && !cuts[i] && !untimed && joins(item) && joins(open.at(-1))) open.push(item)
    else records.push([item])
  })
  return records
}

/** Folds one record of items into an engine. Throws RangeError on an empty one, and on a change not written out. */
export function fold(run: Run, record: readonly Item[]) {
  const last = record.at(-1)
  if (!last) throw new RangeError('a record holds something')
  switch (last.kind) {
    case 'tick':
      return run.tick(last.at)
    case 'paused':
      return run.paused(last.at)
    case 'resumed':
      return run.resumed(last.pausedAt, last.at)
    case 'command':
      return run.command(last.command, last.at)
    case 'change':
      throw new RangeError('written out as a command before it is folded: see changes.ts')
    case 'end':
      return run.end(last.at)
  }
  const events = record.filter((item) => item.kind === 'event')
  const rejected = record.flatMap((item) => (item.kind === 'reject' ? [rejectedOf(item.source)] : []))
  const marks = marksOf(record)
  const batch = batchOf(events)
  return run.record({ kind: 'events', at: last.at, batch, rejected, ...(marks.length > 0 && { marks }) })
}

/** A mark stands before the row of the event that follows it. */
function marksOf(record: readonly Item[]): Mark[] {
  let row = 0
  return record.flatMap((item) => {
    if (item.kind === 'event') row++
    return item.kind === 'mark' ? [{ row, source: item.source, mark: item.mark, at: item.at }] : []
  })
}

import type { EventBatch } from '../contracts/eventBatch'
import { EventBatchBuilder } from '../contracts/eventBatch'
import type { Mark } from '../contracts/journalRecord'
import type { Rejected } from '../contracts/quarantine'
import { checkEvent } from './checkEvent'
import { Flaw } from './flaw'
import { checkMark, isMark } from './mark'
import { toRejected } from './rejected'
import type { SourceRules } from './sourceRules'

/** A request's entries, sorted into events that count, marks, and what is set aside; each is in exactly one. */
export interface Taken {
  readonly batch: EventBatch
  readonly marks: readonly Mark[]
  readonly rejected: readonly Rejected[]
}

/** Bytes of text that an event brings to its batch, about; the table grows by itself beyond. */
const TEXT_BYTES = 64

/** Checks all entries of a request as of one arrival time (ms) and turns them into columns. A bad one never fails its neighbours. */
export function takeEvents(
  values: readonly unknown[],
  rawOf: (i: number) => string,
  rules: SourceRules,
  arrival: number,
): Taken {
  const builder = new EventBatchBuilder(values.length * TEXT_BYTES)
  const marks: Mark[] = []
  const rejected: Rejected[] = []
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    const checked = isMark(value) ? checkMark(value, rules, arrival) : checkEvent(value, rules, arrival)
    if (checked instanceof Flaw) rejected.push(toRejected(i, value, checked, rawOf(i), rules))
    else if (typeof checked !== 'number') builder.add(checked)
    else marks.push({ row: builder.count, source: rules.source, mark: checked, at: arrival })
  }
  return { batch: builder.build(), marks, rejected }
}

import type { EventBatch } from '../contracts/eventBatch'
import { EventBatchBuilder } from '../contracts/eventBatch'
import type { Rejected } from '../contracts/quarantine'
import { checkEvent } from './checkEvent'
import { Flaw } from './flaw'
import { toRejected } from './rejected'
import type { SourceRules } from './sourceRules'

/** A request's events, sorted into those that count and those set aside; every one is in exactly one of the two. */
export interface Taken {
  readonly batch: EventBatch
  readonly rejected: readonly Rejected[]
}

/** Bytes of text that an event brings to its batch, about; the table grows by itself beyond. */
const TEXT_BYTES = 64

/** Checks all events of a request as of one arrival time (ms) and turns them into columns. A bad one never fails its neighbours. */
export function takeEvents(
  values: readonly unknown[],
  rawOf: (i: number) => string,
  rules: SourceRules,
  arrival: number,
): Taken {
  const builder = new EventBatchBuilder(values.length * TEXT_BYTES)
  const rejected: Rejected[] = []
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    const checked = checkEvent(value, rules, arrival)
    if (checked instanceof Flaw) rejected.push(toRejected(i, value, checked, rawOf(i), rules))
    else builder.add(checked)
  }
  return { batch: builder.build(), rejected }
}

import { readEventTime } from './eventTime'
import { Flaw } from './flaw'
import type { SourceRules } from './sourceRules'
import { guardTime } from './timeGuards'

const FIELD = 'mark'

/** An entry of a stream that is a mark: `{"mark": t}` and nothing else. An event may have a field of that name. */
export function isMark(value: unknown): value is { readonly mark: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, FIELD) &&
    Object.keys(value).length === 1
  )
}

/**
 * Reads a mark as ms since the epoch, in the way of an event time and past the same guards (semantics.md §2).
 * `arrival` is the request's journal time in ms. Refused where the source's strategy in force is not punctuated:
 * it would change nothing, and its producer would believe that it did.
 */
export function checkMark(
  value: { readonly mark: unknown },
  rules: SourceRules,
  arrival: number,
): number | Flaw {
  if (!rules.punctuated) return markRefused(rules)
  const time = readEventTime(value.mark, FIELD, rules.unit, 'the time before which nothing is still to come')
  if (time instanceof Flaw) return time
  return guardTime(time, arrival, rules, FIELD) ?? time
}

/** The verdict on a mark of a source that takes none. */
export function markRefused(rules: SourceRules): Flaw {
  return new Flaw(
    'wrong_type',
    FIELD,
    `source ${rules.source} is not punctuated, so it takes no marks: leave them out, since its watermark follows its events; or set its strategy to punctuated`,
  )
}

import { Flaw } from './flaw'
import { inWords } from './inWords'
import type { SourceRules } from './sourceRules'

/**
 * The guards against broken clocks (semantics.md §2), all in ms: *future* `ts > arrival + maxFutureSkew`, *too old*
 * `ts < arrival - maxAge` where set. They run once, here; the fold trusts the verdict. `field` is what the producer
 * calls the time.
 */
export function guardTime(
  ts: number,
  arrival: number,
  rules: SourceRules,
  field: string = rules.fields.eventTime,
): Flaw | null {
  if (ts > arrival + rules.maxFutureSkew) return future(ts, arrival, rules, field)
  if (rules.maxAge !== null && ts < arrival - rules.maxAge) return old(ts, arrival, rules.maxAge, field)
  return null
}

function future(ts: number, arrival: number, rules: SourceRules, field: string): Flaw {
  return new Flaw(
    'future_timestamp',
    field,
    `${field} ${iso(ts)} is ${inWords(ts - arrival)} ahead of Tidemark's clock; ` +
      `at most ${inWords(rules.maxFutureSkew)} are allowed: check the producer's clock and send it again`,
  )
}

function old(ts: number, arrival: number, maxAge: number, field: string): Flaw {
  return new Flaw(
    'too_old',
    field,
    `${field} ${iso(ts)} is ${inWords(arrival - ts)} old; this source takes at most ${inWords(maxAge)}: ` +
      `import history as a back-fill, or raise the source's maxAge`,
  )
}

function iso(ts: number): string {
  return new Date(ts).toISOString()
}

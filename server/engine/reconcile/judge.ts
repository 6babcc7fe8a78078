import type { LateCommand } from '../../contracts/command'
import { idName } from '../../contracts/lateStore'
import type { EventFacts, Problem } from './facts'

type Judge = (facts: EventFacts) => Problem | null

const JUDGES: Readonly<Record<LateCommand['kind'], Judge>> = {
  reinject(facts) {
    const known = facts.cameLate || facts.last !== null
    if (facts.counted || facts.last === 'reconciled') return 'counted'
    if (facts.last === 'duplicate' || facts.countedElsewhere) return 'repeat'
    if (!known) return 'unknown'
    if (!facts.event) return 'gone'
    return facts.incomplete ? 'incomplete' : null
  },
  void(facts) {
    if (!facts.event) return 'gone'
    if (!facts.counted) return 'not_counted'
    return facts.incomplete ? 'incomplete' : null
  },
  writeOff(facts) {
    if (facts.counted || facts.last === 'reconciled') return 'counted'
    if (facts.last === 'duplicate') return 'repeat'
    if (facts.last === 'written_off') return 'written_off'
    return facts.cameLate || facts.last === 'voided' ? null : 'unknown'
  },
  confirmDuplicates: (facts) => (facts.unsettled > 0 ? null : 'settled'),
}

/** Why a command does not apply to an event; null: it does. A function of what the journal held before it. */
export function problemOf(kind: LateCommand['kind'], facts: EventFacts): Problem | null {
  return JUDGES[kind](facts)
}

/** What a command applies to, and the others by what stands in their way. */
export interface Judged {
  readonly accepted: readonly EventFacts[]
  readonly problems: ReadonlyMap<Problem, number>
}

export function judgeAll(kind: LateCommand['kind'], all: readonly EventFacts[]): Judged {
  const accepted: EventFacts[] = []
  const problems = new Map<Problem, number>()
  const named = new Set<string>()
  for (const facts of all) {
    const id = idName(facts.place)
    const problem = named.has(id) ? 'named_twice' : problemOf(kind, facts)
    named.add(id)
    if (problem === null) accepted.push(facts)
    else problems.set(problem, (problems.get(problem) ?? 0) + 1)
  }
  return { accepted, problems }
}

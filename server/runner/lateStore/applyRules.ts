import { lateRulesText, ruleApplies } from '../../contracts/lateRules'
import { type EventPlace, MOST_EVENTS_A_COMMAND } from '../../contracts/lateStore'
import type { Store } from '../../store/client'
import { readRuled } from '../../store/late/ruledRows'
import type { RunnerPort } from '../port'
import { committed } from './verifyLate'

/** Who re-injects by a rule of the definition. */
const RULE = 'rule'

export interface RuleDeps {
  readonly store: Store
  readonly runner: Pick<RunnerPort, 'command' | 'spec'>
}

/**
 * Re-injects what the definition's `lateRules` let in. Each late event is tried once in the life of a process: what
 * the engine refuses stays for a person to decide.
 */
export class LateRuleRun {
  readonly #deps: RuleDeps
  #tried: Pick<EventPlace, 'position' | 'row'> = { position: 0, row: -1 }
  #rules = ''

  constructor(deps: RuleDeps) {
    this.#deps = deps
  }

  /** Resolves with the number of events that were tried. Rejects as database and journal do. */
  async run(): Promise<number> {
    const { store, runner } = this.#deps
    const { lateRules } = runner.spec()
    if (!ruleApplies(lateRules)) return 0
    this.#beginAnew(lateRulesText(lateRules))
    const events = await readRuled(store, lateRules, this.#tried, MOST_EVENTS_A_COMMAND)
    const last = events.at(-1)
    if (!last) return 0
    const order = { by: RULE, reason: `late rule: ${lateRulesText(lateRules)}` }
    const { position } = await runner.command({ kind: 'reinject', events }, order)
    await committed(store, position)
    this.#tried = last
    return events.length
  }

  /** Another rule may let in what the last one did not. */
  #beginAnew(rules: string): void {
    if (rules === this.#rules) return
    this.#rules = rules
    this.#tried = { position: 0, row: -1 }
  }
}

import type { Logger } from '../../platform/logger'
import { LateRuleRun, type RuleDeps } from './applyRules'
import { type VerifyDeps, verifyLate } from './verifyLate'

/** How soon a late event is looked at, ms. */
const LOOK_EVERY = 1_000
/** A pass over a long journal is followed by this many times its length of rest: at most a fifth of a core. */
const REST = 4

export interface LateStoreDeps extends VerifyDeps, RuleDeps {
  readonly runner: VerifyDeps['runner'] & RuleDeps['runner']
  readonly logger: Logger
  /** Monotonic clock, ms. */
  readonly monotonic: () => number
}

/** Verifies late events in the background, and re-injects what rules let in. Returns how to stop; resolves when it has. */
export function startLateStore(deps: LateStoreDeps): () => Promise<void> {
  const { logger, monotonic } = deps
  const rules = new LateRuleRun(deps)
  let stopped = false
  let wake = () => {}
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!stopped) {
      const began = monotonic()
      try {
        await verifyLate({ ...deps, stopped: () => stopped })
        await rules.run()
      } catch (error) {
        // Nothing is lost: they stay unverified, and are looked at again.
        if (!stopped) logger.warn({ err: error }, 'late events are not verified right now')
      }
      if (!stopped) await rest(Math.max(LOOK_EVERY, (monotonic() - began) * REST))
    }
  }
  const done = run()
  return () => {
    stopped = true
    wake()
    return done
  }
}

import type { SourceSpec } from '../../../server/contracts/sourceSpec'
import { followSources } from './advance'
import { join } from './sources'
import type { State } from './state'
import { adopt } from './strategy'

/**
 * Strategies that the definition gives now; the pipeline follows at once (decision 2), but not where there is one
 * less to wait for: that is seen when time next passes.
 */
export function readopt(state: State, oneLess = false): void {
  for (const source of state.sources.values()) adopt(state, source)
  if (!oneLess) followSources(state)
}

/** A new source joins; one that is there goes on with other settings. True when it is no longer waited for. */
export function settle(state: State, settings: SourceSpec): boolean {
  const source = state.sources.get(settings.name)
  const wasTest = source?.own.test ?? true
  if (source) source.own = settings
  else join(state, settings.name, settings)
  if (settings.test) state.reached.add(source ? 'turned into a test source' : 'test source')
  else if (source && wasTest) state.reached.add('turned into a counted source')
  return settings.test && !wasTest
}

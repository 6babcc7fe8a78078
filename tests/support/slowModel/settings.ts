import type { SourceSpec } from '../../../server/contracts/sourceSpec'
import { followSources } from './advance'
import { join } from './sources'
import type { State } from './state'
import { adopt } from './strategy'

/** Strategies that the definition gives now; the pipeline follows at once where one is another (decision 2). */
export function readopt(state: State): void {
  const changed = [...state.sources.values()].filter((source) => adopt(state, source))
  if (changed.some((source) => !source.own.test)) followSources(state)
}

/** A new source joins; one that is there goes on with other settings. */
export function settle(state: State, settings: SourceSpec): void {
  const source = state.sources.get(settings.name)
  if (source) source.own = settings
  else join(state, settings.name, settings)
  if (settings.test) state.reached.add(source ? 'turned into a test source' : 'test source')
}

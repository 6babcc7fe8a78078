import type { RunnerPort } from '../runner/port'
import type { Store } from '../store/client'
import { corrections } from './corrections'
import { late } from './late'
import { overview } from './overview'
import type { ReadServices } from './port'
import { quarantine } from './quarantine'
import type { ReadDeps } from './readDeps'
import { windows } from './windows'

export interface ReadServicesDeps {
  readonly store: Store
  readonly runner: Pick<RunnerPort, 'status' | 'spec'>
  /** Wall clock, ms. */
  readonly now: () => number
}

/** Everything that a person may ask, as routers and sockets know it. */
export function createReadServices({ store, runner, now }: ReadServicesDeps): ReadServices {
  const deps: ReadDeps = { store, now, spec: () => runner.spec() }
  return {
    overview: () => overview(deps),
    windows: (input) => windows(deps, input),
    corrections: (input) => corrections(deps, input),
    late: (input) => late(deps, input),
    quarantine: (input) => quarantine(deps, input),
    status: () => runner.status(),
  }
}

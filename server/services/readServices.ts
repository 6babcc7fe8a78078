import type { StorageStatus } from '../contracts/storage'
import type { RunnerPort } from '../runner/port'
import type { Store } from '../store/client'
import { reading } from '../store/databaseAway'
import { commands } from './commands'
import { corrections } from './corrections'
import { distinct } from './distinct'
import { lateList } from './late/list'
import { notices } from './notices'
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
  /** Room for the database. */
  readonly storage?: () => StorageStatus
}

/** Everything that a person may ask, as routers and sockets know it. */
export function createReadServices({ store, runner, now, storage }: ReadServicesDeps): ReadServices {
  const deps: ReadDeps = { store, now, spec: () => runner.spec() }
  return {
    overview: () => reading(overview(deps)),
    windows: (input) => reading(windows(deps, input)),
    distinct: (input) => reading(distinct(deps, input)),
    corrections: (input) => reading(corrections(deps, input)),
    lateList: (input) => reading(lateList(deps, input)),
    quarantine: (input) => reading(quarantine(deps, input)),
    notices: (input) => reading(notices(deps, input)),
    commands: (input) => reading(commands(deps, input)),
    status: () => ({ ...runner.status(), ...(storage && { storage: storage() }) }),
    spec: () => runner.spec(),
  }
}

import { type Check, checkOf } from '../platform/doctorChecks'
import { StartupError } from '../platform/startupError'
import { migrationState, refuse } from './migrate'

/** How the schema stands, for the doctor. Missing migrations are well: the next start applies them. */
export function checkMigrations(url: string): Promise<Check> {
  return checkOf('migrations', async () => {
    const state = await migrationState(url)
    refuse(state)
    const [edited] = state.edited
    if (edited !== undefined) {
      throw new StartupError(
        `the file of the applied migration ${edited} was changed afterwards`,
        'Put the file back as it was (git checkout), and make the change as a new migration.',
      )
    }
    if (state.missing.length === 0) return 'up to date'
    return `${state.missing.length} to apply; the next start does it`
  })
}

/** Throws StartupError for a schema that is not exactly this version's: a command that reads it would not understand it. */
export async function requireMigrated(url: string): Promise<void> {
  const state = await migrationState(url)
  refuse(state)
  if (state.missing.length === 0) return
  throw new StartupError(
    `this database is older than this version of Tidemark: ${state.missing.length} migrations are to be applied`,
    'Start Tidemark on it once, which applies them; then try again.',
  )
}

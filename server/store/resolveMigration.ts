import { StartupError } from '../platform/startupError'
import { migrationState, withEngine } from './migrate'
import { underMigrationLock } from './migrationLock'

/** What is true of a migration that was cut off: nothing of it stands in the database, or all of it. */
export type Resolution = 'rolled-back' | 'applied'

/**
 * Says what became of a failed migration, so that the next start goes on. Throws StartupError for one that did not
 * fail, and where the database cannot be reached.
 * @param folder the `prisma` folder
 */
export function resolveMigration(
  url: string,
  name: string,
  resolution: Resolution,
  folder?: string,
): Promise<void> {
  return underMigrationLock(url, async () => {
    const { failed } = await migrationState(url, folder)
    if (!failed.includes(name)) throw notFailed(name, failed)
    await withEngine(
      url,
      async (engine, migrationsList) => {
        if (resolution === 'applied')
          await engine.markMigrationApplied({ migrationName: name, migrationsList })
        else await engine.markMigrationRolledBack({ migrationName: name })
      },
      folder,
    )
  })
}

function notFailed(name: string, failed: readonly string[]): StartupError {
  return new StartupError(
    `${name} is not a migration that failed in this database`,
    failed.length > 0
      ? `The one that failed is ${failed.join(', ')}.`
      : 'None has failed: start Tidemark, it applies what is missing.',
  )
}

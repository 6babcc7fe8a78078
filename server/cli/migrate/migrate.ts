import { openDatabase } from '../../platform/database'
import { readEnv } from '../../platform/env'
import { migrate } from '../../store/migrate'
import { resolveMigration } from '../../store/resolveMigration'
import { CommandProblem } from '../problem'

export interface MigrateInput {
  /** Name of a failed migration of which nothing stands in the database. */
  readonly rolledBack?: string
  /** Name of a failed migration that was finished by hand. */
  readonly applied?: string
}

/**
 * Migrates the database of this environment, after saying what became of a failed migration. The embedded Postgres is
 * started for it: its address and password are nobody's to type.
 */
export async function migrateHere({ rolledBack, applied }: MigrateInput): Promise<void> {
  if (rolledBack !== undefined && applied !== undefined) {
    throw new CommandProblem('Give --rolled-back or --applied, not both.')
  }
  const database = await openDatabase(readEnv())
  try {
    if (rolledBack !== undefined) await resolveMigration(database.url, rolledBack, 'rolled-back')
    if (applied !== undefined) await resolveMigration(database.url, applied, 'applied')
    const done = await migrate(database.url)
    const said = done.applied.length > 0 ? `Applied ${done.applied.join(', ')}.` : 'The schema is up to date.'
    process.stdout.write(`${said}\n`)
  } finally {
    await database.close()
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSchemaEngine } from '../platform/schemaEngine/load.mjs'
import { StartupError } from '../platform/startupError'
import { underMigrationLock } from './migrationLock'

export interface MigrationResult {
  /** Names of what was applied just now, in order. */
  readonly applied: readonly string[]
}

/** How the database's schema stands to the migrations of this version. */
export interface MigrationState {
  /** Migrations that are not in the database yet. */
  readonly missing: readonly string[]
  /** Migrations in the database that this version does not know: a newer version was here. */
  readonly unknown: readonly string[]
  /** Migrations that began and did not end. */
  readonly failed: readonly string[]
  /** Applied migrations whose file was changed afterwards. */
  readonly edited: readonly string[]
}

const PRISMA = fileURLToPath(new URL('../../prisma/', import.meta.url))
const FILTERS = { externalTables: [], externalEnums: [] }

type Opened = Awaited<ReturnType<typeof openSchemaEngine>>
type Engine = Opened['engine']
type Migrations = ReturnType<typeof listOf>

/**
 * Brings the schema to this version in-process, under an advisory lock, so that two starters do it once.
 * Afterwards `npx prisma migrate status` agrees. Throws StartupError for a database that is newer than this version,
 * or in which a migration failed, with how to go on.
 * @param folder the `prisma` folder
 */
export function migrate(url: string, folder = PRISMA): Promise<MigrationResult> {
  return underMigrationLock(url, () =>
    withEngine(
      url,
      async (engine, migrationsList) => {
        refuse(await stateOf(engine, migrationsList))
        try {
          const done = await engine.applyMigrations({ migrationsList, filters: FILTERS })
          return { applied: done.appliedMigrationNames }
        } catch (error) {
          refuse(await stateOf(engine, migrationsList), error)
          throw error
        }
      },
      folder,
    ),
  )
}

/** Looks without changing anything. Rejects where the database cannot be reached. */
export function migrationState(url: string, folder = PRISMA): Promise<MigrationState> {
  return withEngine(url, stateOf, folder)
}

/** Runs `work` with Prisma's schema engine on a database, and with the migrations of this version. */
export async function withEngine<T>(
  url: string,
  work: (engine: Engine, migrations: Migrations) => Promise<T>,
  folder = PRISMA,
): Promise<T> {
  const schema = readFileSync(join(folder, 'schema.prisma'), 'utf8')
  const { engine, close } = await openSchemaEngine({ url, datamodels: [['schema.prisma', schema]] })
  try {
    return await work(engine, listOf(folder))
  } finally {
    await close()
  }
}

async function stateOf(engine: Engine, migrationsList: Migrations): Promise<MigrationState> {
  const { history, failedMigrationNames, editedMigrationNames } = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters: FILTERS,
  })
  return {
    missing: history && 'unappliedMigrationNames' in history ? history.unappliedMigrationNames : [],
    unknown: history && 'unpersistedMigrationNames' in history ? history.unpersistedMigrationNames : [],
    failed: failedMigrationNames,
    edited: editedMigrationNames,
  }
}

/** Throws StartupError for a schema that this version must not touch, with how to go on. */
export function refuse({ unknown, failed }: MigrationState, cause?: unknown): void {
  const [first] = failed
  if (first !== undefined) {
    throw new StartupError(
      `the migration ${first} failed in this database${cause ? `: ${reason(cause)}` : ' at an earlier start'}`,
      `Mend what it stumbled over. Then, if nothing of it stands in the database:\n  npm run migrate -- --rolled-back ${first}\nor, if you have finished it by hand:\n  npm run migrate -- --applied ${first}\nand start Tidemark again. (npx prisma migrate resolve does the same with a database of your own.)`,
      { cause },
    )
  }
  if (unknown.length === 0) return
  throw new StartupError(
    `this database is newer than this version of Tidemark: it has ${unknown.join(', ')}, which this version does not know`,
    'Start the newer version again, or use another database (DATABASE_URL). Nothing was changed.',
  )
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return /Database error:?\s*([\s\S]{0,400})/.exec(text)?.[1]?.trim() ?? text.slice(0, 400)
}

function listOf(folder: string) {
  const baseDir = join(folder, 'migrations')
  const names = readdirSync(baseDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  const read = (...path: string[]) => readFileSync(join(baseDir, ...path), 'utf8')
  return {
    baseDir,
    shadowDbInitScript: '',
    lockfile: { path: 'migration_lock.toml', content: read('migration_lock.toml') },
    migrationDirectories: names.map((path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: read(path, 'migration.sql') },
      },
    })),
  }
}

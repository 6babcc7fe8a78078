import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withClient } from '../../platform/schemaEngine/databaseUrl.mjs'
import { StartupError } from '../../platform/startupError'
import { migrate } from '../migrate'
import { readMigrations, readTables } from './tables'

const PRISMA = fileURLToPath(new URL('../../../prisma/', import.meta.url))

/** Throws StartupError for a backup of a schema that this version does not know. */
export function requireKnown(migrations: readonly string[], folder = PRISMA): void {
  const known = new Set(migrationsOf(folder))
  const unknown = migrations.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new StartupError(
    `the backup is newer than this version of Tidemark: it has ${unknown.join(', ')}, which this version does not know`,
    'Restore it with the version that wrote it, or a newer one. Nothing was changed.',
  )
}

/**
 * Throws StartupError unless nothing is in the database yet: no tables, or the empty ones of a schema that leads to the
 * backup's, as a restore leaves them that was cut off.
 */
export async function requireEmpty(url: string, migrations: readonly string[]): Promise<void> {
  await withClient(url, async (client) => {
    const wanted = new Set(migrations)
    const later = (await readMigrations(client)).filter((name) => !wanted.has(name))
    const filled: string[] = []
    for (const { name } of await readTables(client)) {
      const { rowCount } = await client.query(`SELECT FROM ${client.escapeIdentifier(name)} LIMIT 1`)
      if (rowCount) filled.push(name)
    }
    if (filled.length > 0) throw notEmpty(`there are rows in ${filled.join(', ')}`)
    if (later.length > 0)
      throw notEmpty(`its tables are newer than those of the backup (${later.join(', ')})`)
  })
}

function notEmpty(why: string): StartupError {
  return new StartupError(
    `the database is not empty: ${why}`,
    'A backup goes into an empty database. Create one and name it in DATABASE_URL, or give the embedded Postgres another folder with TIDEMARK_DATA_DIR. Nothing was changed.',
  )
}

/** Brings the database to the schema of the backup, which may be older than this version's. */
export async function migrateTo(url: string, migrations: readonly string[], folder = PRISMA): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'tidemark-prisma-'))
  try {
    cpSync(join(folder, 'schema.prisma'), join(copy, 'schema.prisma'))
    mkdirSync(join(copy, 'migrations'))
    for (const name of [...migrations, 'migration_lock.toml']) {
      cpSync(join(folder, 'migrations', name), join(copy, 'migrations', name), { recursive: true })
    }
    await migrate(url, copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function migrationsOf(folder: string): string[] {
  const entries = readdirSync(join(folder, 'migrations'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { databaseUrl, onServer } from './globalPostgres'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

const provided = inject('postgres')

/** For `describe.skipIf(noPostgres)`: only on a machine without one, and never in CI, where that is a failure. */
export const noPostgres = provided === null

/** A database of the caller's own with all migrations, cloned from the template; dropped by `drop`. */
export async function freshDatabase(): Promise<TestDatabase> {
  return database(postgres().template)
}

/** A database of the caller's own with nothing in it. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return database('template0')
}

/** Runs one query on a connection of its own, and returns its rows. */
export async function query<T extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values?: unknown[],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql, values)).rows
  } finally {
    await client.end()
  }
}

async function database(template: string): Promise<TestDatabase> {
  const { adminUrl } = postgres()
  const name = `tidemark_test_${randomUUID().replaceAll('-', '')}`
  await onServer(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    url: databaseUrl(adminUrl, name),
    drop: () => drop(adminUrl, name),
  }
}

/**
 * Waits for connections that are just being closed: one that is cut in its last moment throws out of nowhere. What is
 * still open after that belongs to a process that was killed, and is cut.
 */
async function drop(adminUrl: string, name: string): Promise<void> {
  const open = 'SELECT FROM pg_stat_activity WHERE datname = $1'
  for (let tries = 0; tries < 40 && (await query(adminUrl, open, [name])).length > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await onServer(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

function postgres() {
  if (provided === null) throw new Error('no Postgres for tests: see the start of the run for why')
  return provided
}

import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { placeOf } from '@/server/platform/embedded/place'
import { findPostmaster, stopPostmaster } from '@/server/platform/embedded/postmaster'
import { isAlive } from '@/server/platform/embedded/processes'
import { startEmbeddedPostgres } from '@/server/platform/embeddedPostgres'
import { StartupError } from '@/server/platform/startupError'
import { migrate } from '@/server/store/migrate'

/** What every test of the project `real` gets; null where there is no Postgres and that is allowed. */
export interface PostgresForTests {
  /** A database beside the template, where others can be created and dropped. */
  readonly adminUrl: string
  /** A database with all migrations, to clone. */
  readonly template: string
  readonly embedded: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresForTests | null
  }
}

/** Of data folders below the temporary folder; the number of the process follows. */
const FOLDER = 'tidemark-test-'

/**
 * One Postgres for all tests: that of DATABASE_URL (its user may create databases), else the embedded one in a
 * folder of its own. The template is migrated once; each test file clones it, in about 0.1 s.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  if (!server) {
    project.provide('postgres', null)
    return async () => {}
  }
  const { adminUrl, embedded } = server
  const template = `tidemark_template_${randomUUID().slice(0, 8)}`
  await onServer(adminUrl, `CREATE DATABASE ${template}`)
  await migrate(databaseUrl(adminUrl, template))
  project.provide('postgres', { adminUrl, template, embedded })
  return async () => {
    await onServer(adminUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
    await server.close()
  }
}

async function openServer() {
  const url = process.env.DATABASE_URL
  if (url) return { adminUrl: url, embedded: false, close: async () => {} }
  // Not the project's own folder: a demo may be running in that one. Below /tmp, which postgres may enter.
  await sweep()
  const dataDir = join(tmpdir(), `${FOLDER}${process.pid}`)
  try {
    const { url, stop } = await startEmbeddedPostgres({ projectRoot: process.cwd(), dataDir })
    const close = async () => {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
    return { adminUrl: url, embedded: true, close }
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    if (!(error instanceof StartupError) || process.env.CI) throw error
    console.warn(`\nTests that need a Postgres are skipped:\n${error.text}\n`)
    return null
  }
}

/** Ends and removes what runs that were killed have left behind. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER))) {
    if (isAlive(Number(name.slice(FOLDER.length)))) continue
    const place = placeOf('', null, join(tmpdir(), name))
    const postmaster = findPostmaster(place)
    if (postmaster) await stopPostmaster(postmaster.pid)
    rmSync(place.root, { recursive: true, force: true })
  }
}

export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.toString()
}

/** Runs one statement on a connection of its own. */
export async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

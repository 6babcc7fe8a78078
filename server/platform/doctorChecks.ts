import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import { connectError, shownUrl } from './connectError'
import { splitUrl } from './schemaEngine/databaseUrl.mjs'
import { StartupError } from './startupError'

/** One line of the doctor: ✓ or ✗, what was found, and how to mend it. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** null where all is well. */
  readonly mend: string | null
}

const LEAST_NODE = [20, 19] as const
const LEAST_POSTGRES = 14

const passed = (name: string, detail: string): Check => ({ name, ok: true, detail, mend: null })
const failed = (name: string, detail: string, mend: string): Check => ({ name, ok: false, detail, mend })

/** A check from work that throws StartupError where something is wrong. Anything else thrown is a failure, too. */
export async function checkOf(name: string, work: () => string | Promise<string>): Promise<Check> {
  try {
    return passed(name, await work())
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return failed(name, message, error instanceof StartupError ? error.mend : 'See the log.')
  }
}

/** Node is new enough. */
export function checkNode(version = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = LEAST_NODE
  const ok = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  if (ok) return passed('Node', version)
  return failed('Node', version, `Tidemark needs Node ${leastMajor}.${leastMinor} or newer.`)
}

/** The folder of the embedded Postgres, or the nearest that exists above it, can be written to. */
export function checkDataDir(root: string): Check {
  const folder = nearestFolder(root)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return passed('data folder', root)
  } catch {
    const mend = 'Set TIDEMARK_DATA_DIR to a folder that you may write to, or DATABASE_URL.'
    return failed('data folder', `${folder} cannot be written to`, mend)
  }
}

function nearestFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  const parent = dirname(path)
  return parent === path ? path : nearestFolder(parent)
}

/** The database answers, is new enough, and keeps what it acknowledges. Checks that cannot be made are left out. */
export async function checkDatabase(url: string): Promise<Check[]> {
  const client = new pg.Client({
    connectionString: splitUrl(url).connectionString,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Facts>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
        current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes`,
    )
    return [passed('database', shownUrl(url)), ...rows.flatMap((facts) => [ofVersion(facts), ofFsync(facts)])]
  } catch (error) {
    const { message, mend } = connectError(error, url)
    return [failed('database', message, mend)]
  } finally {
    await client.end().catch(() => {})
  }
}

interface Facts {
  readonly version: string
  readonly number: number
  readonly fsync: string
  readonly full_page_writes: string
}

function ofVersion({ version, number }: Facts): Check {
  if (number >= LEAST_POSTGRES * 10_000) return passed('Postgres version', version)
  return failed('Postgres version', version, `Tidemark needs Postgres ${LEAST_POSTGRES} or newer.`)
}

function ofFsync({ fsync, full_page_writes }: Facts): Check {
  const detail = `fsync ${fsync}, full_page_writes ${full_page_writes}`
  if (fsync === 'on' && full_page_writes === 'on') return passed('durability', detail)
  return failed(
    'durability',
    detail,
    'Acknowledged orders could be lost in a power cut. Set fsync = on and full_page_writes = on in postgresql.conf.',
  )
}

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import pg from 'pg'
import { StartupError } from '../startupError'
import type { Binaries } from './binaries'
import { DATABASE, POSTGRES_ENV, USER } from './cluster'
import type { Owner } from './owner'
import type { Place } from './place'
import type { Postmaster } from './postmaster'
import { waitUntil } from './processes'

/** Recovery after a hard end replays the log first; that may take minutes, and is no reason to give up. */
const READY_LIMIT = 10 * 60_000
const LOG_LIMIT = 10 * 1024 * 1024

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  jit: 'off',
}

export function urlOf(port: number, password: string, database = DATABASE): string {
  return `postgresql://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
}

/**
 * Starts Postgres on the cluster and waits until it answers. In a session of its own: Ctrl-C on the terminal goes to
 * every process of ours, and the server still has to write when it gets it. It logs to a file, not to a pipe that
 * would break with us. Throws StartupError with the end of its log.
 */
export async function launch(
  place: Place,
  { postgres }: Binaries,
  owner: Owner | null,
  port: number,
  password: string,
): Promise<Postmaster> {
  const from = rotateLog(place)
  const log = openSync(place.log, 'a', 0o600)
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(postgres, ['-D', place.data, '-p', String(port), ...settings], {
    cwd: '/',
    env: POSTGRES_ENV,
    detached: true,
    stdio: ['ignore', log, log],
    ...(owner && { uid: owner.uid, gid: owner.gid }),
  })
  closeSync(log)
  child.unref()
  await untilReady(child, place, from, urlOf(port, password, 'postgres'))
  return { pid: child.pid ?? 0, port }
}

async function untilReady(child: ChildProcess, place: Place, from: number, url: string): Promise<void> {
  let ended: string | null = null
  child.once('error', (error) => {
    ended = error.message
  })
  child.once('exit', (code, signal) => {
    ended = `ended with ${code ?? signal}`
  })
  const ready = await waitUntil(async () => ended !== null || (await answers(url)), READY_LIMIT)
  if (ready && ended === null) return
  throw new StartupError(
    `the embedded Postgres ${ended ?? 'did not answer for 10 minutes'}. The end of its log (${place.log}):\n${readLog(place, from)}`,
    'The log says why. No room on the disk, or a folder of another user, are common. Or set DATABASE_URL to a Postgres of your own.',
  )
}

/** Whether it takes connections: false while it starts or recovers. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** Keeps the log before the last 10 MiB as one older file. Returns where this run's part begins, in bytes. */
function rotateLog(place: Place): number {
  if (!existsSync(place.log)) return 0
  const { size } = statSync(place.log)
  if (size < LOG_LIMIT) return size
  renameSync(place.log, `${place.log}.1`)
  return 0
}

function readLog(place: Place, from: number): string {
  return readFileSync(place.log).subarray(from).toString().trimEnd().split('\n').slice(-15).join('\n')
}

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { StartupError } from '../startupError'
import type { Binaries } from './binaries'
import type { Owner } from './owner'
import type { Place } from './place'

export const USER = 'tidemark'
export const DATABASE = 'tidemark'

/** The environment of Postgres's programs: nothing of ours (Next's types want a NODE_ENV in it), and the locale. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as unknown as NodeJS.ProcessEnv

/** Makes the cluster at first use: UTF8, locale C, scram, a random password. About 1 s. */
export async function provideCluster(
  place: Place,
  { initdb }: Binaries,
  owner: Owner | null,
): Promise<string> {
  if (existsSync(place.data)) return readPassword(place)
  const password = existsSync(place.password) ? readPassword(place) : writePassword(place, owner)
  // Renamed when it is whole, so that an interrupted initdb leaves nothing that looks like a cluster.
  const unfinished = `${place.data}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const args = ['-D', unfinished, '-U', USER, '-A', 'scram-sha-256', `--pwfile=${place.password}`]
  const { code, output } = await run(
    initdb,
    [...args, '-E', 'UTF8', '--locale=C', '--no-instructions'],
    owner,
  )
  if (code !== 0) {
    throw new StartupError(
      `initdb of the embedded Postgres ended with ${code}:\n${output.slice(-2_000)}`,
      `Is there room, and may ${owner?.name ?? 'you'} write to ${place.root}? Or set DATABASE_URL to a Postgres of your own.`,
    )
  }
  renameSync(unfinished, place.data)
  return password
}

export function readPassword(place: Place): string {
  try {
    return readFileSync(place.password, 'utf8').trim()
  } catch (cause) {
    throw new StartupError(
      `the password of the embedded Postgres cannot be read: ${(cause as Error).message}`,
      `Run Tidemark as the user that made ${place.root}, or put the file back from a backup.`,
      { cause },
    )
  }
}

function writePassword(place: Place, owner: Owner | null): string {
  const password = randomBytes(24).toString('base64url')
  writeFileSync(place.password, `${password}\n`, { mode: 0o600 })
  // initdb reads it as that user.
  if (owner) chownSync(place.password, owner.uid, owner.gid)
  return password
}

function run(program: string, args: string[], owner: Owner | null) {
  return new Promise<{ code: number | string; output: string }>((resolve) => {
    let output = ''
    const child = spawn(program, args, {
      cwd: '/',
      env: POSTGRES_ENV,
      ...(owner && { uid: owner.uid, gid: owner.gid }),
    })
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ code: 'no start', output: error.message }))
    child.on('close', (code, signal) => resolve({ code: code ?? signal ?? 'no code', output }))
  })
}

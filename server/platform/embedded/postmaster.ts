import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './place'
import { commandOf, isAlive, waitUntil } from './processes'

/** The Postgres that runs on a cluster. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
}

const STOP_LIMIT = 30_000

/**
 * Reads `postmaster.pid` (pid, data folder, start, port, …). null where no Postgres runs there: no file, or a stale
 * one. A stale file whose pid now belongs to something else is removed, since Postgres would take that for a
 * postmaster and refuse to start (a container gives the same few pids out again).
 */
export function findPostmaster(place: Place): Postmaster | null {
  const file = join(place.data, 'postmaster.pid')
  let lines: string[]
  try {
    lines = readFileSync(file, 'utf8').split('\n')
  } catch {
    return null
  }
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null
  const command = commandOf(pid)
  if (command !== null && !command.includes(place.data)) {
    rmSync(file, { force: true })
    return null
  }
  return { pid, port: Number(lines[3]) }
}

/**
 * Whether a process runs. Where nobody reaps orphans (a container without init) a dead one stays as a zombie, which
 * has no command.
 */
export function isRunning(pid: number): boolean {
  return isAlive(pid) && commandOf(pid) !== ''
}

/** Has it stop in order (SIGINT: sessions are ended, a checkpoint is written). */
export function askToStop(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGINT')
}

/** Stops it in order and waits. Returns whether it is gone. */
export async function stopPostmaster(pid: number, limit = STOP_LIMIT): Promise<boolean> {
  askToStop(pid)
  return waitUntil(() => !isRunning(pid), limit)
}

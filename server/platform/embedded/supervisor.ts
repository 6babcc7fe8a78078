import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { Place } from './place'
import { isAlive, startOf } from './processes'

/** Folders that this process supervises. */
const ours = new Set<string>()

/**
 * Claims the supervision of a cluster: one process starts and stops it, others (doctor, a second server) use it and
 * leave it alone. The claim of a process that is gone does not count. Returns whether it is ours now.
 */
export function claim(place: Place): boolean {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = openSync(place.supervisor, 'wx', 0o644)
      writeSync(file, `${process.pid} ${startOf(process.pid)}\n`)
      closeSync(file)
      ours.add(place.root)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isHeld(place)) return false
      rmSync(place.supervisor, { force: true })
    }
  }
  return false
}

export function release(place: Place): void {
  if (ours.delete(place.root)) rmSync(place.supervisor, { force: true })
}

function isHeld(place: Place): boolean {
  try {
    const [pid, start] = readFileSync(place.supervisor, 'utf8').trim().split(' ')
    // In a container every server has the same pid: an own pid from before is not a claim.
    if (Number(pid) === process.pid) return ours.has(place.root)
    return isAlive(Number(pid)) && (start ?? '') === startOf(Number(pid))
  } catch {
    return false
  }
}

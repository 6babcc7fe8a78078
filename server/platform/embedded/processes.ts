import { readFileSync } from 'node:fs'

/** Whether a process is there. One of another user (EPERM) is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Its arguments, '' where they cannot be known; null where there is no /proc (macOS). */
export function commandOf(pid: number): string | null {
  if (process.platform !== 'linux') return null
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/**
 * Start of a process in clock ticks since boot: with the pid it names a process for good, where a pid alone comes
 * back. '' where it cannot be known.
 */
export function startOf(pid: number): string {
  if (process.platform !== 'linux') return ''
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** Polls until `done`, at most `limit` ms. Returns whether it came true. */
export async function waitUntil(done: () => boolean | Promise<boolean>, limit: number): Promise<boolean> {
  const until = performance.now() + limit
  while (!(await done())) {
    if (performance.now() > until) return false
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return true
}

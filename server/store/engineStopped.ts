import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '../platform/startupError'
import { type LeaseTable, openLease } from './lease'

/** A server that shows no sign of life for so long is gone (design.md §4); one that lives shows three in it. ms */
const STALE_AFTER = 3_500
const LOOK_EVERY = 250
const BEAT_EVERY = 1_000

/**
 * Runs `work` while no server leads on the database, and none can: the lease is held meanwhile. Throws StartupError
 * where one does. A database without the lease's table has never had a server.
 * @param what the command, as a person knows it
 */
export async function whileEngineStopped<T>(url: string, what: string, work: () => Promise<T>): Promise<T> {
  const me = { holder: `tidemark ${randomUUID()}`, url: what }
  const lease = openLease(url, me.holder)
  try {
    if (!(await lease.exists())) return await work()
    const epoch = await takeWhenFree(lease, me)
    if (epoch === null) throw runs(what)
    const beating = setInterval(() => void lease.beat(epoch).catch(() => {}), BEAT_EVERY)
    try {
      return await work()
    } finally {
      clearInterval(beating)
      await lease.release(epoch)
    }
  } finally {
    await lease.close()
  }
}

/** The epoch; null where somebody beats. */
async function takeWhenFree(lease: LeaseTable, me: { holder: string; url: string }): Promise<number | null> {
  const first = await lease.read()
  if (!first || first.beat < 0) return lease.take(me, first)
  const until = performance.now() + STALE_AFTER
  while (performance.now() < until) {
    await pause(LOOK_EVERY)
    const now = await lease.read()
    if (now?.beat !== first.beat || now.epoch !== first.epoch) return null
  }
  return lease.take(me, first)
}

function runs(what: string): StartupError {
  return new StartupError(
    `a Tidemark runs on this database, and ${what} must have it alone`,
    'Stop that server (Ctrl+C, or SIGTERM), and try again.',
  )
}

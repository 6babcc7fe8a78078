import type { Logger } from '../logger'
import { isRunning, type Postmaster } from './postmaster'

export interface Watch {
  current(): Postmaster
  /** Ends the watch; resolves when no start is under way any more. */
  end(): Promise<void>
}

const LOOK_EVERY = 1_000

/**
 * Looks each second whether Postgres still runs and starts it again where it does not: the kernel kills it first
 * when memory runs out. A start that fails is tried again, as sessions of the dead one may need a moment to go.
 */
export function watch(first: Postmaster, restart: () => Promise<Postmaster>, logger?: Logger): Watch {
  let current = first
  let starting: Promise<void> | null = null
  const look = () => {
    if (starting || isRunning(current.pid)) return
    logger?.error({ pid: current.pid }, 'the embedded Postgres is gone; starting it again')
    starting = restart()
      .then((postmaster) => {
        current = postmaster
        logger?.info({ pid: postmaster.pid }, 'embedded Postgres is up again')
      })
      .catch((err: unknown) => logger?.error({ err }, 'the embedded Postgres does not start'))
      .finally(() => {
        starting = null
      })
  }
  const timer = setInterval(look, LOOK_EVERY)
  timer.unref()
  return {
    current: () => current,
    end: async () => {
      clearInterval(timer)
      await starting
    },
  }
}

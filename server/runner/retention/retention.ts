import type { Keep } from '../../contracts/retention'
import type { Logger } from '../../platform/logger'
import type { Store } from '../../store/client'
import { trimAll } from './trimAll'

const EVERY = 10 * 60_000
/** A start has enough to do. */
const FIRST_AFTER = 60_000

export interface RetentionDeps {
  readonly store: Store
  readonly keep: Keep
  readonly now: () => number
  readonly logger: Logger
  /** Whether this process is the one that writes. */
  readonly leads?: () => boolean
  readonly firstAfter?: number
  readonly every?: number
}

/** Trims all tables every ten minutes. Returns how to stop; what is under way ends with its statement. */
export function startRetention(deps: RetentionDeps): () => Promise<void> {
  const { leads = () => true, every = EVERY, firstAfter = FIRST_AFTER } = deps
  let stopped = false
  let wake: () => void = () => {}
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, stopped ? 0 : ms)
      timer.unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    await pause(firstAfter)
    while (!stopped) {
      if (leads()) await trimAndSay(deps, pause, () => !stopped && leads())
      await pause(every)
    }
  }
  const running = run()
  return async () => {
    stopped = true
    wake()
    await running
  }
}

/** Never rejects: a trim that failed is made up for by the next one. */
async function trimAndSay(
  { store, keep, now, logger }: RetentionDeps,
  pause: (ms: number) => Promise<void>,
  goesOn: () => boolean,
): Promise<void> {
  try {
    const done = await trimAll({ store, keep, now, pause, goesOn })
    for (const [table, { removed, writtenOff }] of done) {
      logger.info({ table, removed, writtenOff }, 'rows past their time were removed')
      if (writtenOff > 0) logger.warn({ table, writtenOff }, 'events that still waited were written off')
    }
  } catch (err) {
    logger.warn({ err }, 'rows past their time could not be removed; it is tried again')
  }
}

import type { Logger } from './logger'

/** A terminal and npm both hand on Ctrl+C: the same wish, twice within this time, ms. */
const SAME_WISH = 500

/** How long all closers together may take before the process ends without them, ms. */
export const SHUTDOWN_LIMIT = 10_000

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

interface Closer {
  readonly name: string
  readonly close: () => unknown
  readonly lastResort?: () => void
}

export interface ShutdownOptions {
  readonly logger: Logger
  readonly limit?: number
  readonly exit?: (code: number) => void
}

/** A start that is under way is given up: a signal came. Whoever started has nothing to report and nothing to mend. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}

/**
 * Ends the process in order. It is *running*; the first SIGTERM or SIGINT makes it *closing*: a start that is under
 * way is waited for, since what is half opened cannot be closed and a migration must not be cut off; then the closers
 * run one after the other, what was opened last first, so that nobody loses what it stands on. When all are done the
 * exit code is 0, or 1 where one failed. Past the limit it ends with 1 and names who hangs; a second signal, half a
 * second later or more, ends it at once. Either way what was given as a last resort is still done.
 */
export class Shutdown {
  readonly #closers: Closer[] = []
  readonly #logger: Logger
  readonly #limit: number
  readonly #exit: (code: number) => void
  readonly #onSignal = (signal: NodeJS.Signals) => this.#signalled(signal)
  #current: string | null = null
  #closing: Promise<void> | null = null
  #start: Promise<unknown> = Promise.resolve()
  #signalledAt = 0

  constructor({ logger, limit = SHUTDOWN_LIMIT, exit = process.exit }: ShutdownOptions) {
    this.#logger = logger
    this.#limit = limit
    this.#exit = exit
  }

  /**
   * Registers what to close; called after it was opened. `lastResort` is what can still be done for it in the moment
   * in which the process ends without having closed it.
   */
  add(name: string, close: () => unknown, lastResort?: () => void): void {
    this.#closers.push({ name, close, lastResort })
  }

  /** Runs what opens everything; a signal meanwhile waits for it to end. Rejects as `work` does. */
  during<T>(work: () => Promise<T>): Promise<T> {
    const started = work()
    this.#start = started.catch(() => {})
    return started
  }

  /** For a start between two steps. Throws Stopping when a signal has come. */
  throwIfStopping(): void {
    if (this.#closing) throw new Stopping('stopped while it was starting')
  }

  /** Starts to listen for signals. Returns how to stop. */
  listen(): () => void {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal)
    return () => {
      for (const signal of SIGNALS) process.off(signal, this.#onSignal)
    }
  }

  /** Closes everything and exits with `code`, or 1 where a closer failed. Safe to call again. */
  run(reason: string, code = 0): Promise<void> {
    this.#closing ??= this.#closeAll(reason, code)
    return this.#closing
  }

  #signalled(signal: NodeJS.Signals): void {
    const now = performance.now()
    if (this.#closing) {
      if (now - this.#signalledAt < SAME_WISH) return
      this.#logger.warn({ waitingFor: this.#current }, `${signal} again: ending at once`)
      this.#abandon(130)
      return
    }
    this.#signalledAt = now
    void this.run(signal)
  }

  async #closeAll(reason: string, code: number): Promise<void> {
    this.#logger.info(`stopping (${reason})`)
    const timer = setTimeout(() => {
      this.#logger.error(`${this.#current} did not close within ${this.#limit} ms: ending without it`)
      this.#abandon(1)
    }, this.#limit)
    this.#current = 'the start'
    await this.#start
    const failed = await this.#closeInOrder()
    clearTimeout(timer)
    this.#logger.info('stopped')
    this.#exit(failed ? 1 : code)
  }

  /** True where one failed. What is being closed stays on the list until it is, for its last resort. */
  async #closeInOrder(): Promise<boolean> {
    let failed = false
    for (let closer = this.#closers.at(-1); closer; closer = this.#closers.at(-1)) {
      const { name, close } = closer
      this.#current = name
      const started = performance.now()
      try {
        await close()
        this.#logger.debug({ ms: Math.round(performance.now() - started) }, `closed ${name}`)
      } catch (err) {
        failed = true
        this.#logger.error({ err }, `${name} did not close cleanly`)
      }
      this.#closers.splice(this.#closers.indexOf(closer), 1)
    }
    return failed
  }

  #abandon(code: number): void {
    for (const { lastResort } of this.#closers) lastResort?.()
    this.#exit(code)
  }
}

import type { Logger } from './logger'

/** A terminal and npm both hand on Ctrl+C: the same wish, twice within this time, ms. */
const SAME_WISH = 500

/** How long all closers together may take before the process ends without them, ms. */
export const SHUTDOWN_LIMIT = 10_000

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

interface Closer {
  readonly name: string
  readonly close: () => unknown
}

export interface ShutdownOptions {
  readonly logger: Logger
  readonly limit?: number
  readonly exit?: (code: number) => void
}

/**
 * Ends the process in order. It is *running*; the first SIGTERM or SIGINT makes it *closing*: the closers run one
 * after the other, what was opened last first, so that nobody loses what it stands on. When all are done the exit
 * code is 0, or 1 where one failed. Past the limit it ends with 1 and names who hangs; a second signal, half a second
 * later or more, ends it at once.
 */
export class Shutdown {
  readonly #closers: Closer[] = []
  readonly #logger: Logger
  readonly #limit: number
  readonly #exit: (code: number) => void
  readonly #onSignal = (signal: NodeJS.Signals) => this.#signalled(signal)
  #current: string | null = null
  #closing: Promise<void> | null = null
  #signalledAt = 0

  constructor({ logger, limit = SHUTDOWN_LIMIT, exit = process.exit }: ShutdownOptions) {
    this.#logger = logger
    this.#limit = limit
    this.#exit = exit
  }

  /** Registers what to close; called after it was opened. */
  add(name: string, close: () => unknown): void {
    this.#closers.push({ name, close })
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
      this.#exit(130)
      return
    }
    this.#signalledAt = now
    void this.run(signal)
  }

  async #closeAll(reason: string, code: number): Promise<void> {
    this.#logger.info(`stopping (${reason})`)
    const timer = setTimeout(() => {
      this.#logger.error(`${this.#current} did not close within ${this.#limit} ms: ending without it`)
      this.#exit(1)
    }, this.#limit)
    let failed = false
    for (const { name, close } of this.#closers.splice(0).reverse()) {
      this.#current = name
      const started = performance.now()
      try {
        await close()
        this.#logger.debug({ ms: Math.round(performance.now() - started) }, `closed ${name}`)
      } catch (err) {
        failed = true
        this.#logger.error({ err }, `${name} did not close cleanly`)
      }
    }
    clearTimeout(timer)
    this.#logger.info('stopped')
    this.#exit(failed ? 1 : code)
  }
}

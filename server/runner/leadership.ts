import { setTimeout as pause } from 'node:timers/promises'
import type { Candidate, Lease } from '../contracts/lease'
import type { Logger } from '../platform/logger'

/** The leader shows once in this time that it lives, ms. */
const BEAT_EVERY = 1_000
/** A standby looks once in this time, ms. */
const LOOK_EVERY = 300
/** Without a beat for so long of the standby's own clock the leader counts as gone, ms (design.md §4). */
const STALE_AFTER = 3_000
/** The same when none of its connections stands any more: its process is gone, or cut off; ms. */
const GONE_AFTER = 1_200

/** The lease's row, as leadership knows it. */
export interface LeasePort {
  read(): Promise<Lease | null>
  backends(holder: string): Promise<number>
  take(me: Candidate, from: Lease | null): Promise<number | null>
  beat(epoch: number): Promise<boolean>
  release(epoch: number): Promise<void>
}

/** What a leader runs. `stop` ends it in order; `abandon` at once, writing nothing more. */
export interface Reign {
  stop(): Promise<void>
  abandon(): Promise<void>
}

export interface LeadershipDeps {
  readonly lease: LeasePort
  readonly me: Candidate
  /** Begins to lead under an epoch; `lost` is to be called when the lease turns out to be another's. */
  readonly lead: (epoch: number, lost: (why: Error) => void) => Promise<Reign>
  /** Follows a leader from now on. */
  readonly follow: (leader: Lease) => void
  /** Leading cannot begin, and trying again cannot help. */
  readonly onFatal: (error: Error) => void
  /** ms; never the wall clock, which people set. */
  readonly monotonic: () => number
  readonly logger: Logger
}

/**
 * One engine at a time (design.md §4). *Standby*: looks at the lease; where nobody has it, its holder gave it back, or
 * has shown no sign of life for 3 s of this process's own monotonic clock, in which the database could be read, it is
 * taken. *Leading*: beats each second. *Lost*: a beat or a write found another epoch; what is being led is abandoned
 * without writing, and the server is a standby again. *Stopped*: what is led is stopped in order, the lease given back.
 */
export class Leadership {
  readonly #deps: LeadershipDeps
  #stopping = false
  #wake: () => void = () => {}
  #done: Promise<void> = Promise.resolve()
  /** The lease as last seen, since when it has looked so, by the own clock. */
  #seen: Lease | null = null
  #seenSince = 0
  #settled: () => void = () => {}

  private constructor(deps: LeadershipDeps) {
    this.#deps = deps
  }

  /** Resolves when the server leads, or knows whom it follows. */
  static async start(deps: LeadershipDeps): Promise<Leadership> {
    const leadership = new Leadership(deps)
    await new Promise<void>((resolve) => {
      leadership.#settled = resolve
      leadership.#done = leadership.#run()
    })
    return leadership
  }

  /** Stops what is led, and gives the lease back. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake()
    await this.#done
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const epoch = await this.#campaign()
      if (epoch !== null) await this.#lead(epoch)
      else await this.#sleep(LOOK_EVERY)
    }
    this.#settled()
  }

  /** The epoch that was taken, or null. */
  async #campaign(): Promise<number | null> {
    const { lease, me, logger } = this.#deps
    try {
      const found = await lease.read()
      if (found && !(await this.#isFree(found))) {
        this.#deps.follow(found)
        this.#settled()
        return null
      }
      const epoch = await lease.take(me, found)
      if (epoch !== null) logger.info({ epoch, from: found?.url ?? null }, 'this server leads')
      this.#seen = null
      return epoch
    } catch (err) {
      logger.warn({ err }, 'the lease cannot be looked at')
      // Time in which nobody could beat says nothing about the leader.
      this.#seen = null
      return null
    }
  }

  async #isFree(found: Lease): Promise<boolean> {
    if (found.beat < 0) return true
    const now = this.#deps.monotonic()
    if (this.#seen?.epoch !== found.epoch || this.#seen.beat !== found.beat) {
      this.#seen = found
      this.#seenSince = now
      return false
    }
    const age = now - this.#seenSince
    if (age >= STALE_AFTER) return true
    return age >= GONE_AFTER && (await this.#deps.lease.backends(found.holder)) === 0
  }

  async #lead(epoch: number): Promise<void> {
    const { lead, lease, logger } = this.#deps
    let lost: Error | null = null
    const lose = (why: Error) => {
      lost ??= why
      this.#wake()
    }
    const over = new AbortController()
    const beating = this.#beat(epoch, over.signal, lose)
    try {
      const reign = await lead(epoch, lose)
      this.#settled()
      while (!this.#stopping && lost === null) await this.#sleep(BEAT_EVERY)
      if (lost === null) await reign.stop()
      else {
        logger.error({ err: lost, epoch }, 'another server leads now; this one is a standby again')
        await reign.abandon()
      }
    } catch (error) {
      if (lost === null) return this.#fail(error as Error)
      logger.error({ err: error, epoch }, 'the lease was lost before leading began')
    } finally {
      over.abort()
      await beating
      await lease.release(epoch).catch(() => {})
    }
  }

  #fail(error: Error): void {
    this.#stopping = true
    this.#settled()
    this.#deps.onFatal(error)
  }

  /** A beat that the database did not take is no loss: without it no other server can look either. */
  async #beat(epoch: number, over: AbortSignal, lose: (why: Error) => void): Promise<void> {
    const { lease, logger } = this.#deps
    while (!over.aborted) {
      try {
        if (!(await lease.beat(epoch))) return lose(new Error(`the lease of epoch ${epoch} is another's`))
      } catch (err) {
        logger.warn({ err }, 'no beat: the database does not answer')
      }
      await pause(BEAT_EVERY, undefined, { signal: over }).catch(() => {})
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

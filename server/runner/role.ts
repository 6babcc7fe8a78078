import type { Candidate, Lease } from '../contracts/lease'
import type { Journal, JournalClock } from '../journal/port'
import { AppError } from '../platform/errors'
import { readFollowed } from '../store/readFollowed'
import { readSpecInForce } from '../store/readSpecInForce'
import { Follower } from './follower'
import { Leadership, type LeasePort } from './leadership'
import { beginReign, type Leading, type ReignDeps } from './reign'
import { RunnerSwitch } from './switch'

export interface RoleDeps extends ReignDeps {
  readonly lease: LeasePort
  readonly me: Candidate
}

/** What transports and services hold, whether this server leads or follows. */
export interface Role {
  readonly runner: RunnerSwitch
  readonly journal: Pick<Journal, 'append'>
  readonly clock: JournalClock
  /** Why nothing is taken here; null: this server leads. */
  readonly refusal: () => AppError | null
  /** Drains what was acknowledged, and gives the lease back. */
  stop(): Promise<void>
}

/** Leads, or follows who does; for as long as the process lives the two may take turns (design.md §4). */
export async function startRole(deps: RoleDeps): Promise<Role> {
  const { lease, me, monotonic, logger, onFatal } = deps
  const roles = new Roles(deps)
  const leadership = await Leadership.start({
    lease,
    me,
    lead: (epoch, lost) => roles.lead(epoch, lost),
    follow: (leader) => roles.follow(leader),
    onFatal,
    monotonic,
    logger,
  })
  return {
    runner: roles.runner(),
    journal: { append: (entry) => roles.leading().journal.append(entry) },
    clock: () => roles.leading().clock(),
    refusal: () => roles.refusal(),
    stop: async () => {
      await leadership.stop()
      await roles.stop()
    },
  }
}

class Roles {
  readonly #deps: RoleDeps
  #switch: RunnerSwitch | null = null
  #leading: Leading | null = null
  #follower: Follower | null = null

  constructor(deps: RoleDeps) {
    this.#deps = deps
  }

  runner(): RunnerSwitch {
    if (this.#switch) return this.#switch
    throw new AppError('starting', 'Tidemark is starting.')
  }

  leading(): Leading {
    if (this.#leading) return this.#leading
    throw this.refusal() ?? new AppError('starting', 'Tidemark is starting.')
  }

  refusal(): AppError | null {
    return this.#leading ? null : (this.#follower?.refusal() ?? null)
  }

  async lead(epoch: number, lost: (why: Error) => void): Promise<Leading> {
    const leading = await beginReign(this.#deps, epoch, lost)
    this.#turnTo(leading.runner)
    this.#leading = leading
    const follower = this.#follower
    this.#follower = null
    await follower?.stop()
    return { ...leading, abandon: () => this.#abandon(leading) }
  }

  /** From the first moment on requests are refused, with who leads as far as is known. */
  async #abandon(leading: Leading): Promise<void> {
    this.#leading = null
    await leading.abandon()
  }

  follow(leader: Lease): void {
    if (this.#follower) {
      this.#follower.follow(leader)
      return
    }
    const { store, wall, logger } = this.#deps
    this.#follower = new Follower(
      {
        spec: () => readSpecInForce(store),
        read: (spec, since) => readFollowed(store, spec.views, since),
        now: wall,
        logger,
      },
      leader,
    )
    this.#turnTo(this.#follower)
  }

  #turnTo(port: Follower | Leading['runner']): void {
    if (this.#switch) this.#switch.turnTo(port)
    else this.#switch = new RunnerSwitch(port)
  }

  async stop(): Promise<void> {
    await this.#follower?.stop()
  }
}

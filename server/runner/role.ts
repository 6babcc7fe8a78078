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
  /** Postgres has just refused a write because its disk is full. */
  readonly diskFull: () => boolean
  /** Drains what was acknowledged, and gives the lease back. */
  stop(): Promise<void>
}

/** Leads, or follows who does; for as long as the process lives the two may take turns (design.md §4). */
export async function startRole(deps: RoleDeps): Promise<Role> {
  const { lease, me, monotonic, logger } = deps
  const roles = new Roles(deps)
  const leadership = await Leadership.start({
    lease,
    me,
    lead: (epoch, lost) => roles.lead(epoch, lost),
    follow: (leader) => roles.follow(leader),
    onFatal: (error) => roles.fail(error),
    monotonic,
    logger,
  })
  await roles.begun
  return {
    runner: roles.runner(),
    journal: { append: (entry) => roles.leading().journal.append(entry) },
    clock: () => roles.leading().clock(),
    refusal: () => roles.refusal(),
    diskFull: () => roles.diskFull(),
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
  #begun: () => void = () => {}
  #fail: (error: Error) => void = () => {}
  /** Resolves when there is something to show: this server follows, or leads and has caught up. Rejects if it cannot. */
  readonly begun = new Promise<void>((resolve, reject) => {
    this.#begun = () => {
      this.#fail = this.#deps.onFatal
      resolve()
    }
    this.#fail = reject
  })

  constructor(deps: RoleDeps) {
    this.#deps = deps
  }

  runner(): RunnerSwitch {
    if (this.#switch) return this.#switch
    throw starting()
  }

  leading(): Leading {
    if (this.#leading) return this.#leading
    throw this.refusal() ?? starting()
  }

  diskFull(): boolean {
    return this.#leading?.journal.diskFull ?? false
  }

  refusal(): AppError | null {
    return this.#leading ? null : (this.#follower?.refusal() ?? starting())
  }

  /** Whoever starts the server is told; later the process must end. */
  fail(error: Error): void {
    this.#fail(error)
  }

  async lead(epoch: number, lost: (why: Error) => void): Promise<Leading> {
    const leading = await beginReign(this.#deps, epoch, lost)
    // From now on it says itself how it stands; orders are taken once it has caught up.
    this.#turnTo(leading.runner)
    await this.#follower?.stop()
    this.#follower = null
    let over = false
    void leading.runner.caughtUp.then(() => {
      if (!over) this.#leading = leading
      this.#begun()
    })
    const end = (how: () => Promise<void>) => () => {
      over = true
      this.#leading = null
      return how()
    }
    return { ...leading, stop: end(leading.stop), abandon: end(leading.abandon) }
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
    this.#begun()
  }

  #turnTo(port: Follower | Leading['runner']): void {
    if (this.#switch) this.#switch.turnTo(port)
    else this.#switch = new RunnerSwitch(port)
  }

  async stop(): Promise<void> {
    await this.#follower?.stop()
  }
}

function starting(): AppError {
  return new AppError('starting', 'Tidemark is catching up after a start. Send the same again shortly.', {
    retryAfter: 1,
  })
}

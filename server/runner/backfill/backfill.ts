import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineState, PendingChange } from '../../engine/state'
import type { Logger } from '../../platform/logger'
import { SecondFold, type SecondFoldDeps } from './secondFold'

/** So near to the journal's end the switch is given: what is left is folded while the first fold waits. */
const NEAR = 256
const RETRY = 2_000
/** A pause between records while the first fold is behind: it comes first. ms */
const YIELD = 20

export interface BackfillDeps extends Omit<SecondFoldDeps, 'pause'> {
  /** Last position that the first fold has done, and last one that is durable. */
  readonly folded: () => number
  readonly journaled: () => number
  /** Gives the switch of the change at a position. */
  readonly giveSwitch: (change: number) => Promise<void>
  readonly logger: Logger
}

class GivenUp extends Error {}

/** How far a back-fill is. */
export interface BackfillProgress {
  readonly change: number
  readonly position: number
}

/**
 * Runs the second fold of a pending change beside the first. *Idle*, until `follow` is told of a change; *filling*:
 * up to near the journal's end; then the switch is given, once; *switched* when `stateAt` was asked for by the fold of
 * that record. A change that is given up stops it, at once.
 */
export class Backfill {
  readonly #deps: BackfillDeps
  #change: PendingChange | null = null
  #fold: SecondFold | null = null
  #stopped = false
  /** The first fold waits for the second. */
  #hurry = false
  #running: Promise<void> = Promise.resolve()
  /** The second fold is one line of work, whoever asks for it. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(deps: BackfillDeps) {
    this.#deps = deps
  }

  get progress(): BackfillProgress | null {
    return this.#change && { change: this.#change.position, position: this.#fold?.position ?? 0 }
  }

  /** Tells of the change that is pending now; null: none is. Cheap, to be called after each record. */
  follow(change: PendingChange | null): void {
    if (this.#change?.position === change?.position) return
    this.#change = change
    this.#fold = change && this.#newFold(change)
    if (change) this.#running = this.#run(change)
  }

  /** The second fold as of a position, everything of it written: what the fold of the switch needs. */
  async stateAt(change: PendingChange, position: number): Promise<EngineState> {
    this.follow(change)
    this.#hurry = true
    try {
      return await this.#foldTo(change, position)
    } finally {
      this.#hurry = false
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  #newFold(change: PendingChange): SecondFold {
    const pause = async () => {
      if (this.#stopped || this.#change !== change) throw new GivenUp()
      if (!this.#hurry && this.#deps.journaled() - this.#deps.folded() > NEAR) await sleep(YIELD)
    }
    return new SecondFold(change, { ...this.#deps, pause })
  }

  #foldTo(change: PendingChange, position: number): Promise<EngineState> {
    const next = this.#turn.then(() => {
      if (!this.#fold) throw new GivenUp()
      return this.#fold.foldTo(position)
    })
    this.#turn = next.catch(() => {
      // Half a record may be folded: from the beginning again.
      if (this.#change === change) this.#fold = this.#newFold(change)
    })
    return next
  }

  async #run(change: PendingChange): Promise<void> {
    const { folded, giveSwitch, logger } = this.#deps
    logger.info({ change: change.position }, 'back-fill begun')
    while (!this.#stopped && this.#change === change) {
      try {
        const target = folded()
        await this.#foldTo(change, target)
        if (folded() - target > NEAR) continue
        await giveSwitch(change.position)
        return
      } catch (err) {
        if (err instanceof GivenUp || this.#stopped) return
        logger.warn({ err, change: change.position }, 'the back-fill failed, beginning again')
        await sleep(RETRY)
      }
    }
  }
}

import { RULES_VERSION } from '../contracts/pipelineSpec'
import type { HashedSegment, StoredSnapshot } from '../contracts/snapshot'
import { SNAPSHOT_FORMAT, segmentsOf } from '../engine/snapshot'
import type { EngineState } from '../engine/state'
import type { Logger } from '../platform/logger'
import { hashOf } from './recovery'

/** A snapshot is due when the journal's tail would need so long to fold, or so much time has passed; ms. */
const TAIL_LIMIT = 2_000
const EVERY = 5 * 60_000
/** What a stop may take for one in any case, ms. */
const LITTLE = 1_000
/** Taking snapshots takes at most this share of a core. */
const MOST_LOAD = 0.05

export interface SnapshotToKeep extends Omit<StoredSnapshot, 'segments'> {
  readonly segments: readonly HashedSegment[]
}

export interface SnapshotTakerDeps {
  readonly save: (snapshot: SnapshotToKeep) => Promise<{ written: number }>
  /** ms */
  readonly monotonic: () => number
  readonly logger: Logger
}

/**
 * Decides when a snapshot is taken, and takes it. *Idle* until one is due; *copying*: the state is put into bytes,
 * piece by piece with turns for others in between, and nothing may be folded; *saving*: the bytes are on their way to
 * the database, and the fold goes on. One that could not be saved is no loss: the next is due soon.
 */
export class SnapshotTaker {
  readonly #deps: SnapshotTakerDeps
  /** How long the records since the last snapshot took to fold, ms. */
  #tail = 0
  #records = 0
  #takenAt: number
  #cost = 0
  #saving: Promise<void> | null = null

  constructor(deps: SnapshotTakerDeps) {
    this.#deps = deps
    this.#takenAt = deps.monotonic()
  }

  /** Runs what folds one record. */
  timed<T>(fold: () => T): T {
    const began = this.#deps.monotonic()
    const result = fold()
    this.#tail += this.#deps.monotonic() - began
    this.#records++
    return result
  }

  /** At the end: it costs less than what a start would have to fold without it, or little. */
  get worthwhile(): boolean {
    return this.#records > 0 && (this.#cost <= LITTLE || this.#tail >= this.#cost)
  }

  /** What came last would be dear to fold again. */
  want(): void {
    this.#tail = TAIL_LIMIT
    this.#cost = 0
  }

  get due(): boolean {
    if (this.#saving || this.#records === 0) return false
    const age = this.#deps.monotonic() - this.#takenAt
    if (age * MOST_LOAD < this.#cost) return false
    return this.#tail >= TAIL_LIMIT || age >= EVERY
  }

  /** Copies the state, which must be as committed; resolves when folding may go on. */
  async take(state: EngineState): Promise<void> {
    const { position, at } = state
    const began = this.#deps.monotonic()
    const segments: HashedSegment[] = []
    let busy = 0
    for (let from = began, pieces = segmentsOf(state); ; from = this.#deps.monotonic()) {
      const { value, done } = pieces.next()
      if (done) break
      segments.push({ name: value.name, bytes: value.bytes, hash: hashOf(value.bytes) })
      busy += this.#deps.monotonic() - from
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#tail = 0
    this.#records = 0
    this.#takenAt = began
    // Sending the bytes costs about as much again.
    this.#cost = busy * 2
    const snapshot = { position, at, rulesVersion: RULES_VERSION, format: SNAPSHOT_FORMAT, segments }
    this.#saving = this.#save(snapshot, busy)
  }

  async #save(snapshot: SnapshotToKeep, busy: number): Promise<void> {
    const { save, logger } = this.#deps
    const { position } = snapshot
    try {
      const { written } = await save(snapshot)
      logger.debug({ position, written, ms: Math.round(busy) }, 'snapshot taken')
    } catch (err) {
      logger.warn({ err, position }, 'a snapshot could not be kept; the next is taken in a while')
    } finally {
      this.#saving = null
    }
  }

  /** Resolves when none is on its way. */
  async settled(): Promise<void> {
    await this.#saving
  }
}

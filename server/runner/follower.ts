import type { Committed } from '../contracts/committed'
import type { SourceSnapshot } from '../contracts/flush'
import type { Lease } from '../contracts/lease'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import { specWarnings } from '../contracts/specWarnings'
import type { PipelineStatus, SourceStatus } from '../contracts/status'
import type { Revision, WindowRow } from '../contracts/windowRow'
import { AppError } from '../platform/errors'
import type { Logger } from '../platform/logger'
import type { RunnerPort } from './port'

/** How often a standby looks at what the leader has committed, ms. */
const LOOK_EVERY = 500

/** What the leader has committed since a position. */
export interface LeadersWork extends Pick<PipelineStatus, 'counts' | 'journaled' | 'watermark'> {
  readonly position: number
  readonly at: number
  readonly sources: readonly SourceSnapshot[]
  readonly rows: readonly WindowRow[]
  readonly revisions: readonly Revision[]
}

export interface FollowerDeps {
  /** null before the first spec. */
  readonly spec: () => Promise<PipelineSpec | null>
  readonly read: (spec: PipelineSpec, since: number) => Promise<LeadersWork | null>
  /** Wall clock, ms. */
  readonly now: () => number
  readonly logger: Logger
}

/**
 * A standby's stand-in for the runner (design.md §4): it reads twice a second what the leader has committed, so that
 * pages and sockets of this server go on; it writes nothing, and says where the leader answers.
 */
export class Follower implements RunnerPort {
  readonly #deps: FollowerDeps
  readonly #listeners = new Set<(committed: Committed) => void>()
  #leader: string
  #spec: PipelineSpec | null = null
  #work: LeadersWork | null = null
  #away = false
  /** When the database answered last, wall clock, ms. */
  #heardAt = 0
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(deps: FollowerDeps, leader: Lease) {
    this.#deps = deps
    this.#leader = leader.url
    this.#look()
  }

  /** The leader may be another than when following began. */
  follow(leader: Lease): void {
    this.#leader = leader.url
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#looking
  }

  spec(): PipelineSpec {
    if (this.#spec) return this.#spec
    throw new AppError('starting', 'There is no pipeline yet: the leader is just starting.')
  }

  /** What is refused here is refused as a whole. */
  roomFor(): null {
    return null
  }

  command(): Promise<never> {
    return Promise.reject(this.refusal())
  }

  onCommitted(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  status(): PipelineStatus {
    const spec = this.#spec
    const work = this.#work
    return {
      now: this.#deps.now(),
      at: work?.at ?? null,
      watermark: work?.watermark ?? null,
      journaled: work?.journaled ?? 0,
      committed: work?.position ?? 0,
      databaseAt: this.#heardAt,
      sources: (work?.sources ?? []).map(asStatus),
      counts: work?.counts ?? NO_COUNTS,
      openWindows: 0,
      firedWindows: 0,
      liveIds: 0,
      maxLiveIds: spec?.maxLiveIds ?? 0,
      state: { ids: 0, distinct: 0, rows: 0, keys: 0, sources: 0, total: 0 },
      warnings: spec ? specWarnings(spec) : [],
      allowedLateness: spec?.allowedLateness ?? 0,
      zone: spec?.zone ?? 'UTC',
      catchingUp: false,
      backfill: null,
      standby: { leader: this.#leader },
      trouble: this.#away ? 'the database does not answer right now.' : null,
    }
  }

  /** What whoever wants to write is told. */
  refusal(): AppError {
    return new AppError(
      'not_leader',
      `This server is a standby and takes nothing. Send to ${this.#leader}, or here again shortly: if that one is gone, this one takes over.`,
      { retryAfter: 2 },
    )
  }

  #look(): void {
    this.#looking = this.#refresh()
      .then(() => {
        this.#away = false
        this.#heardAt = this.#deps.now()
      })
      .catch((err: unknown) => {
        if (!this.#away) this.#deps.logger.warn({ err }, 'a standby cannot read what the leader did')
        this.#away = true
      })
      .finally(() => {
        if (!this.#stopped) this.#timer = setTimeout(() => this.#look(), LOOK_EVERY)
      })
  }

  async #refresh(): Promise<void> {
    this.#spec = await this.#deps.spec()
    if (!this.#spec) return
    const prev = this.#work?.position
    const work = await this.#deps.read(this.#spec, prev ?? Number.MAX_SAFE_INTEGER)
    if (!work) return
    this.#work = work
    const { position: pos, watermark, rows, revisions } = work
    if (prev === undefined || pos === prev) return
    for (const listener of this.#listeners) listener({ prev, pos, watermark, rows, revisions })
  }
}

const NO_COUNTS: PipelineStatus['counts'] = {
  received: 0,
  inTime: 0,
  corrected: 0,
  late: 0,
  duplicate: 0,
  quarantined: 0,
  conflict: 0,
  test: 0,
  overflow: 0,
}

/** What only the leader's memory knows is left open. */
function asStatus(source: SourceSnapshot): SourceStatus {
  return { ...source, idleAt: null, idleTimeout: null, drift: null, holdsBack: false }
}

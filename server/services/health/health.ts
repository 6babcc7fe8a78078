import type { PipelineStatus } from '../../contracts/status'
import { PHASE_SAYS, type Phase } from './phase'
import { type Standstill, StandstillWatch } from './standstill'

const LOOK_EVERY = 1_000

/** One reason why the server is not ready, for who hosts it. Nothing about the business. */
export interface Reason {
  readonly code: Phase | 'catching_up' | 'trouble' | 'disk_guard' | Standstill['code']
  /** ISO 8601, UTC; by the server's clock. */
  readonly since: string
  readonly says: string
}

export interface Readiness {
  readonly ready: boolean
  readonly phase: Phase
  /** Empty when it is ready. */
  readonly reasons: readonly Reason[]
  /** null until the pipeline runs. */
  readonly status: PipelineStatus | null
}

/** What readiness is judged by once the pipeline runs. */
export interface HealthSource {
  readonly status: () => PipelineStatus
  /** Why nothing is taken for want of room, in words; null: there is room. */
  readonly noRoom?: () => string | null
}

export interface HealthClocks {
  readonly wall: () => number
  readonly monotonic: () => number
}

/**
 * What the server says of its own health. It is in one phase after the other (`enter`); once the pipeline can be
 * asked, `follow` has it looked at each second, since a standstill is a difference between two looks.
 */
export class Health {
  readonly #clocks: HealthClocks
  readonly #watch: StandstillWatch
  #phase: Phase = 'starting'
  #source: HealthSource | null = null
  #standstills: readonly Standstill[] = []
  #timer: NodeJS.Timeout | null = null
  /** Since when each reason holds, monotonic ms. */
  readonly #since = new Map<Reason['code'], number>()

  constructor(clocks: HealthClocks, watch = new StandstillWatch()) {
    this.#clocks = clocks
    this.#watch = watch
    this.#look()
  }

  enter(phase: Phase): void {
    this.#phase = phase
    if (phase === 'stopping' && this.#timer) clearInterval(this.#timer)
    this.#look()
  }

  /** From now on readiness is judged by the pipeline's progress. */
  follow(source: HealthSource): void {
    this.#source = source
    this.#look()
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY).unref()
  }

  readiness(): Readiness {
    const found = this.#look()
    const reasons = found.map(([code, says]) => ({ code, since: this.#sinceOf(code), says }))
    return {
      ready: reasons.length === 0,
      phase: this.#phase,
      reasons,
      status: this.#source?.status() ?? null,
    }
  }

  /** Everything that is wrong now; notes since when. */
  #look(): readonly (readonly [Reason['code'], string])[] {
    const now = this.#clocks.monotonic()
    const found = [...this.#ofPhase(), ...(this.#source ? this.#ofSource(this.#source, now) : [])]
    const codes = new Set(found.map(([code]) => code))
    for (const code of this.#since.keys()) if (!codes.has(code)) this.#since.delete(code)
    for (const code of codes) if (!this.#since.has(code)) this.#since.set(code, now - this.#heldFor(code))
    return found
  }

  #ofPhase(): (readonly [Reason['code'], string])[] {
    return this.#phase === 'running' ? [] : [[this.#phase, PHASE_SAYS[this.#phase]]]
  }

  #ofSource(source: HealthSource, now: number): (readonly [Reason['code'], string])[] {
    const status = source.status()
    // Whether the leader makes progress is the leader's to say.
    if (status.standby) return [['standby', PHASE_SAYS.standby]]
    const noRoom = source.noRoom?.() ?? null
    // Folding what was folded before writes nothing, so there it is no standstill.
    this.#standstills = this.#watch.look(status, now).filter(() => !status.catchingUp)
    return [
      ...(status.catchingUp ? [['catching_up', PHASE_SAYS.recovering] as const] : []),
      ...(status.trouble === null ? [] : [['trouble', troubleSays(status.trouble)] as const]),
      ...(noRoom === null ? [] : [['disk_guard', noRoom] as const]),
      ...this.#standstills.map(({ code, says }) => [code, says] as const),
    ]
  }

  /** A standstill is seen only after a while; it began earlier. */
  #heldFor(code: Reason['code']): number {
    return this.#standstills.find((standstill) => standstill.code === code)?.ms ?? 0
  }

  #sinceOf(code: Reason['code']): string {
    const { wall, monotonic } = this.#clocks
    const ago = monotonic() - (this.#since.get(code) ?? monotonic())
    return new Date(wall() - ago).toISOString()
  }
}

function troubleSays(trouble: string): string {
  return `Results are not being written: ${trouble}`
}

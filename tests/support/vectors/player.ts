import { SourceSpec } from '@/server/contracts/sourceSpec'
import type { Strategy } from '@/server/contracts/strategy'
import type { Coding } from './coding'
import type { Dialect } from './dialect'
import type { Drive, EventOf, Seen } from './drive'
import { LAST_MARK } from './instants'
import { NotOurs } from './notOurs'
import { ONLY } from './pipeline'
import type { Element, Step } from './steps'

export interface Play {
  readonly drive: Drive
  readonly dialect: Dialect
  readonly coding: Coding
  readonly strategy: Strategy
  readonly batchBound?: number | null
  /** Events are stamped with the time at which they are processed, and the watermark is that time. */
  readonly stamped?: boolean
  /** Windows go by journal time. */
  readonly byJournal?: boolean
  /** Time is looked at by `periodicEmit` only; else by each `processingTime`. */
  readonly probes?: boolean
  /** Marks wait for the next `periodicEmit`. */
  readonly deferred?: boolean
  /** Called when a step is over. */
  readonly afterStep?: (step: number) => void
}

/** Turns the steps of a vector into journal records, and keeps what the engine said by step. */
export class Player {
  readonly #play: Play
  readonly #sources: Map<string, string>
  #waiting: Extract<Step, { kind: 'watermark' }>[] = []
  #maxTs = Number.NEGATIVE_INFINITY

  /** `partitions` are declared already, under the names that `sourceName` gives them. */
  constructor(play: Play, partitions: readonly string[]) {
    this.#play = play
    this.#sources = new Map(partitions.map((partition) => [partition, sourceName(partition)]))
  }

  play(steps: readonly Step[]): readonly Seen[] {
    return steps.map((step, i) => {
      const seen = this.#play.drive.beginStep()
      this.#step(step)
      if (step.kind === 'element' || step.kind === 'batch') this.#endBatch()
      this.#play.afterStep?.(i)
      return seen
    })
  }

  #step(step: Step): void {
    switch (step.kind) {
      case 'element':
        this.#elements([step.element])
        break
      case 'batch':
        this.#batch(step.steps)
        break
      case 'watermark':
        if (this.#play.deferred) this.#waiting.push(step)
        else this.#watermark(step)
        break
      case 'processingTime':
        this.#processingTime(step.to)
        break
      case 'idle':
      case 'active':
      case 'register':
      case 'unregister':
        this.#command(step.kind, step.partition)
        break
      default:
        this.#bare(step.kind)
    }
  }

  #bare(kind: 'periodicEmit' | 'snapshotRestore' | 'endOfStream'): void {
    const { drive } = this.#play
    if (kind === 'snapshotRestore') drive.snapshotRestore()
    else if (kind === 'endOfStream') this.#end()
    else {
      for (const waiting of this.#waiting.splice(0)) this.#watermark(waiting)
      drive.tick()
    }
  }

  /** Neighbouring elements of a batch are one record. */
  #batch(steps: readonly Step[]): void {
    const run: Element[] = []
    for (const step of steps) {
      if (step.kind === 'element') run.push(step.element)
      else {
        this.#elements(run.splice(0))
        this.#step(step)
      }
    }
    this.#elements(run)
  }

  #elements(elements: readonly Element[]): void {
    if (elements.length === 0) return
    const { drive, coding, stamped } = this.#play
    const events = elements.map((element): EventOf => {
      this.#maxTs = Math.max(this.#maxTs, element.ts)
      const ts = stamped ? drive.now : element.ts
      return { element, source: this.#sourceOf(element), ts, ...coding.amountOf(element) }
    })
    drive.events(events)
  }

  #endBatch(): void {
    const { batchBound } = this.#play
    if (typeof batchBound === 'number' && Number.isFinite(this.#maxTs))
      this.#markAll(this.#maxTs - batchBound)
  }

  /** An element of no partition must not wake an idle one. */
  #sourceOf({ partition }: Element): string {
    if (partition !== null) return this.#named(partition)
    if (this.#sources.size === 0) return ONLY
    const active = [...this.#sources.values()].find((source) => !this.#play.drive.isIdle(source))
    if (active === undefined)
      throw new NotOurs('an element while all partitions are idle would wake one of ours')
    return active
  }

  #named(partition: string): string {
    const known = this.#sources.get(partition)
    if (known) return known
    const name = sourceName(partition)
    this.#sources.set(partition, name)
    return name
  }

  #watermark({ to, partition }: { to: number; partition: string | null }): void {
    const { drive, dialect } = this.#play
    if (to === Number.NEGATIVE_INFINITY) return
    if (to === Number.POSITIVE_INFINITY && (partition === null || this.#sources.size === 1)) drive.end()
    else {
      // A mark m is our W = m - 1.
      const mark = Math.min(LAST_MARK, dialect.exclusive ? to : to + 1)
      if (partition === null) this.#markAll(mark)
      else drive.mark(this.#named(partition), mark)
    }
  }

  /** Flink's windows by processing time do not hear of the end of a stream, nor do ours; those of others end with it. */
  #end(): void {
    const { drive, dialect, byJournal } = this.#play
    if (byJournal && dialect.exclusive) drive.passAll()
    drive.end()
  }

  #markAll(mark: number): void {
    const sources = this.#sources.size === 0 ? [ONLY] : this.#sources.values()
    for (const source of sources) this.#play.drive.mark(source, mark)
  }

  #processingTime(to: number): void {
    const { drive, dialect, stamped, probes } = this.#play
    if (to < drive.now) throw new NotOurs(`processing time goes back to ${to}; journal time never does`)
    drive.now = to
    // Time is the watermark.
    if (stamped) drive.mark(ONLY, dialect.exclusive ? to : to + 1)
    else if (!probes) drive.tick()
  }

  #command(kind: 'idle' | 'active' | 'register' | 'unregister', partition: string | null): void {
    const { drive, strategy } = this.#play
    const name = partition === null ? ONLY : this.#named(partition)
    // To say again what holds already changes nothing there, and is refused here.
    if (kind === 'idle' && drive.isIdle(name)) return
    if (kind === 'active' && !drive.isIdle(name)) return
    const source = SourceSpec.parse({ name, strategy })
    const refused = drive.command(
      kind === 'register'
        ? { kind: 'declareSource', source }
        : kind === 'unregister'
          ? { kind: 'retireSource', source: name }
          : { kind: kind === 'idle' ? 'markIdle' : 'markActive', source: name },
    )
    if (refused !== null) throw new Error(`the engine refused ${kind} of ${name}: ${refused}`)
    if (kind === 'unregister' && partition !== null) this.#sources.delete(partition)
  }
}

/** A source may be called less than a partition: what does not fit is escaped. */
export function sourceName(partition: string): string {
  return `p${partition.replace(/[^A-Za-z0-9]/g, (c) => `.${c.charCodeAt(0).toString(16)}`)}`
}

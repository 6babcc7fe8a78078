import { PipelineClock } from '../../../../server/engine/clock/pipelineClock'
import type { SourceClock, SourceSettings } from '../../../../server/engine/clock/sourceClock'

/** A clock of sources with bound 0 and a timeout of 10 ms, and what may happen to it. */
export class Pipeline {
  readonly clock = new PipelineClock()
  readonly #settings: SourceSettings

  constructor(over: Partial<SourceSettings> = {}) {
    this.#settings = { strategy: { kind: 'ascending' }, idleTimeout: 10, test: false, pulled: false, ...over }
  }

  add(name: string, at = 0, over: Partial<SourceSettings> = {}): SourceClock {
    return this.clock.add(name, true, { ...this.#settings, ...over }, at)
  }

  /** One accepted event of a source, which joins if it must, in the order that the rules give. */
  hear(name: string, at: number, ts: number): void {
    this.clock.passTime(at)
    const source = this.source(name, at)
    this.clock.speak(source, at)
    this.clock.observe(source, ts)
  }

  /** A mark, in the same order. */
  mark(name: string, at: number, mark: number): void {
    this.clock.passTime(at)
    const source = this.source(name, at)
    this.clock.speak(source, at)
    this.clock.takeMark(source, mark)
  }

  source(name: string, at = 0): SourceClock {
    return this.clock.sources.get(name) ?? this.add(name, at)
  }

  /** Who is idle once time has passed to `at`. */
  idleAt(at: number): string[] {
    this.clock.passTime(at)
    return this.clock.idleSources()
  }

  get watermark(): number {
    return this.clock.watermark
  }
}

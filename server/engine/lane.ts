import type { EventBatch } from '../contracts/eventBatch'
import { stringAt } from '../contracts/stringTable'
import { OTHER } from './aggregate/batchKeys'
import type { SourceClock } from './clock/sourceClock'
import type { Emitter } from './emitter'
import { type Counts, countsOf, type EngineState, type PipelineState, settingsByName } from './state'

/** One source within a record: its clock and its counters. */
export interface Lane {
  readonly clock: SourceClock
  readonly counts: Counts
}

/** The sources of one record. A source that nobody declared joins with its first event or mark (semantics.md §3). */
export class Lanes {
  readonly #state: EngineState
  readonly #pipeline: PipelineState
  readonly #emit: Emitter
  readonly #batch: EventBatch
  /** Number plus 1 of a source's lane, by its string in the batch; 0 where it has none yet. */
  readonly #numbers: Int32Array
  readonly #lanes: Lane[] = []

  constructor(state: EngineState, pipeline: PipelineState, emit: Emitter, batch: EventBatch) {
    this.#state = state
    this.#pipeline = pipeline
    this.#emit = emit
    this.#batch = batch
    this.#numbers = pipeline.scratch.zeros('lanes', batch.strings.offsets.length)
  }

  /** The lane of the source with string `index` in the batch, at journal time `at`. */
  of(index: number, at: number): Lane {
    const known = this.#lanes[(this.#numbers[index] ?? 0) - 1]
    if (known) return known
    const clock = this.clockOf(stringAt(this.#batch.strings, index), at)
    const lane: Lane = { clock, counts: countsOf(this.#state, clock.name) }
    this.#numbers[index] = this.#lanes.push(lane)
    return lane
  }

  /** Beyond `maxSources` a new one shares the clock of `__other__`; its ids stay its own. */
  clockOf(name: string, at: number): SourceClock {
    const { clock } = this.#state
    const { spec, reported } = this.#pipeline
    const known = clock.sources.get(name)
    if (known) return known
    if (clock.sources.size < spec.maxSources) return clock.add(name, false, settingsByName(spec, name), at)
    if (!reported.has('sources')) {
      reported.add('sources')
      this.#emit.notice('sources_over_cap', name, at)
    }
    return clock.sources.get(OTHER) ?? clock.add(OTHER, false, settingsByName(spec, OTHER), at)
  }
}

import type { EventBatch } from '../../server/contracts/eventBatch'
import type { PipelineSpec } from '../../server/contracts/pipelineSpec'
import type { OutcomeCounts } from '../../server/contracts/status'
import { stateSize } from '../../server/engine/size'
import type { EngineState } from '../../server/engine/state'
import { initialState } from '../../server/engine/state'
import { step } from '../../server/engine/step'
import { checksumOf, decodeEntry, encodeEntry, KIND_NUMBERS } from '../../server/journal/codec'
import { resultOf, type Totals } from './engineTotals'
import { type Result, Straightforward } from './straightforward'
import { BEGIN, batchOf, type Delivery, type Orders, objectsOf, type ParsedOrder } from './workload'

/** One pass over the workload, from an empty state. */
export interface Run {
  readonly records: number
  readonly counts: Partial<OutcomeCounts>
  readonly liveIds: number
  /** Bytes of the table of live ids, and of the distinct orders and buyers; null where they are not tables. */
  readonly idBytes: number | null
  readonly distinctBytes: number | null
  /** Makes the input of record `i` where that is not prepared; not timed. */
  ready(i: number): void
  /** Folds record `i`: this is what is timed. What it published goes to `totals`, if there are any. */
  fold(i: number, totals: Totals | null): void
  end(totals: Totals | null): void
}

/** Prepares what all passes share, and begins a pass. */
export type Subject = (spec: PipelineSpec, orders: Orders, deliveries: readonly Delivery[]) => () => Run

class EngineRun implements Run {
  readonly #state: EngineState = initialState()
  readonly #deliveries: readonly Delivery[]
  readonly #batchAt: (i: number) => EventBatch
  /** What was published is put into words as well: revisions as the runner stores them. */
  readonly #inWords: boolean
  #batch: EventBatch | null = null

  constructor(
    spec: PipelineSpec,
    deliveries: readonly Delivery[],
    batchAt: (i: number) => EventBatch,
    inWords = false,
  ) {
    this.#deliveries = deliveries
    this.#batchAt = batchAt
    this.#inWords = inWords
    step(this.#state, { kind: 'spec', at: BEGIN, spec, position: 1 })
  }

  get records(): number {
    return this.#deliveries.length
  }

  get counts(): OutcomeCounts {
    return this.#state.counts
  }

  get liveIds(): number {
    return this.#state.pipeline?.ids.size ?? 0
  }

  get idBytes(): number | null {
    return this.#state.pipeline?.ids.bytes ?? null
  }

  get distinctBytes(): number {
    return stateSize(this.#state).distinct
  }

  ready(i: number): void {
    this.#batch = this.#batchAt(i)
  }

  fold(i: number, totals: Totals | null): void {
    const at = this.#deliveries[i]?.at ?? 0
    const batch = this.#batch ?? this.#batchAt(i)
    const outcome = step(this.#state, { kind: 'events', at, batch, rejected: [], position: i + 2 })
    // Words are made when they are first asked for.
    if (!totals && !this.#inWords) return
    const { revisions } = outcome
    if (totals) for (const revision of revisions) totals.add(resultOf(revision))
  }

  end(totals: Totals | null): void {
    const at = this.#deliveries.at(-1)?.at ?? 0
    const { revisions } = step(this.#state, { kind: 'end', at, position: this.records + 2 })
    if (totals) for (const revision of revisions) totals.add(resultOf(revision))
  }
}

class StraightforwardRun implements Run {
  readonly #fold: Straightforward
  readonly #deliveries: readonly Delivery[]
  readonly #objectsAt: (i: number) => readonly ParsedOrder[]
  #objects: readonly ParsedOrder[] = []

  constructor(
    spec: PipelineSpec,
    deliveries: readonly Delivery[],
    objectsAt: (i: number) => readonly ParsedOrder[],
  ) {
    this.#fold = new Straightforward(spec, BEGIN)
    this.#deliveries = deliveries
    this.#objectsAt = objectsAt
  }

  get records(): number {
    return this.#deliveries.length
  }

  get counts(): Partial<OutcomeCounts> {
    return this.#fold.counts
  }

  get liveIds(): number {
    return this.#fold.liveIds
  }

  get idBytes(): null {
    return null
  }

  get distinctBytes(): null {
    return null
  }

  ready(i: number): void {
    this.#objects = this.#objectsAt(i)
  }

  fold(i: number, totals: Totals | null): void {
    sum(this.#fold.fold(this.#deliveries[i]?.at ?? 0, this.#objects), totals)
  }

  end(totals: Totals | null): void {
    sum(this.#fold.end(), totals)
  }
}

function sum(results: readonly Result[], totals: Totals | null): void {
  if (totals) for (const result of results) totals.add(result)
}

function encoded(batch: EventBatch, at: number): Uint8Array {
  return encodeEntry({ kind: 'events', at, batch, rejected: [] })
}

function decoded(body: Uint8Array, at: number): EventBatch {
  const entry = decodeEntry(KIND_NUMBERS.events, at, body, checksumOf(KIND_NUMBERS.events, at, body))
  if (entry.kind !== 'events') throw new RangeError('not events')
  return entry.batch
}

function at<T>(list: readonly T[], i: number): T {
  const item = list[i]
  if (item === undefined) throw new RangeError(`no record ${i}`)
  return item
}

export const SUBJECTS = {
  /** On batches as the edge built them: what the runner is handed in memory. */
  engine: (spec, orders, deliveries) => {
    const batches = deliveries.map((delivery) => batchOf(orders, delivery))
    return () => new EngineRun(spec, deliveries, (i) => at(batches, i))
  },
  /** The same, and its revisions in words: decimal strings, names of keys, what was before. */
  inWords: (spec, orders, deliveries) => {
    const batches = deliveries.map((delivery) => batchOf(orders, delivery))
    return () => new EngineRun(spec, deliveries, (i) => at(batches, i), true)
  },
  /** On batches as they come from the journal. */
  decoded: (spec, orders, deliveries) => {
    const batches = deliveries.map((d) => decoded(encoded(batchOf(orders, d), d.at), d.at))
    return () => new EngineRun(spec, deliveries, (i) => at(batches, i))
  },
  /** Each batch decoded when its turn comes, and dropped; its revisions in words, so that pauses are those of use. */
  streamed: (spec, orders, deliveries) => {
    const bodies = deliveries.map((delivery) => encoded(batchOf(orders, delivery), delivery.at))
    return () => new EngineRun(spec, deliveries, (i) => decoded(at(bodies, i), at(deliveries, i).at), true)
  },
  /** Fresh objects for each pass: a string that was looked up once keeps its hash. */
  straightforward: (spec, orders, deliveries) => () => {
    const objects = deliveries.map((delivery) => objectsOf(orders, delivery))
    return new StraightforwardRun(spec, deliveries, (i) => at(objects, i))
  },
  straightforwardStreamed: (spec, orders, deliveries) => () =>
    new StraightforwardRun(spec, deliveries, (i) => objectsOf(orders, at(deliveries, i))),
} satisfies Record<string, Subject>

export type SubjectName = keyof typeof SUBJECTS

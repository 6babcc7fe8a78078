import { PipelineSpec, RULES_VERSION } from '../../contracts/pipelineSpec'
import { IdTable } from '../dedupe'
import {
  type Counts,
  countsOf,
  type EngineState,
  initialState,
  newPipeline,
  type PendingChange,
  type PipelineState,
} from '../state'
import { restoreClock, saveClock } from './clock'
import { SegmentReader, SegmentWriter, SnapshotError, type SnapshotSegment } from './segment'

export { SNAPSHOT_FORMAT, SnapshotError, type SnapshotSegment } from './segment'

const COUNTS: readonly (keyof Counts)[] = [
  'received',
  'inTime',
  'corrected',
  'late',
  'duplicate',
  'quarantined',
  'conflict',
  'test',
  'overflow',
]

/**
 * The whole state between two records, as segments: `meta`, `clock`, `ids/0` …, and one a view. Columns are written
 * as they lie in memory. A state restored from it folds on exactly as this one would (semantics.md §7).
 */
export function takeSnapshot(state: EngineState): SnapshotSegment[] {
  return [...segmentsOf(state)]
}

/** The segments of `takeSnapshot` one by one, for who has other work in between; no record may be folded meanwhile. */
export function* segmentsOf(state: EngineState): Generator<SnapshotSegment> {
  const { pipeline } = state
  if (!pipeline) throw new RangeError('there is no state before the first spec record')
  yield metaOf(state, pipeline)
  const clock = new SegmentWriter('clock')
  saveClock(state.clock, clock)
  yield clock.done()
  yield* idSegments(pipeline.ids)
  yield* viewSegments(pipeline)
}

/** The state that `takeSnapshot` was given. Throws SnapshotError for one that is damaged, incomplete or newer. */
export function restoreSnapshot(segments: readonly SnapshotSegment[]): EngineState {
  const byName = new Map(segments.map((segment) => [segment.name, segment]))
  const read = <T>(name: string, how: (from: SegmentReader) => T): T => {
    const segment = byName.get(name)
    if (!segment) throw new SnapshotError(`snapshot segment ${JSON.stringify(name)} is missing`)
    const from = new SegmentReader(segment)
    const result = how(from)
    from.end()
    return result
  }
  const state = initialState()
  const pipeline = read('meta', (from) => restoreMeta(state, from))
  read('clock', (from) => restoreClock(state.clock, from))
  const count = read('ids', (from) => from.number())
  const shards = Array.from({ length: count }, (_, i) => read(`ids/${i}`, (from) => from.ints()))
  pipeline.ids = IdTable.restore(shards)
  for (const view of pipeline.views) read(`view/${view.spec.id}`, (from) => view.restore(from))
  state.pipeline = pipeline
  return state
}

function metaOf(state: EngineState, pipeline: PipelineState): SnapshotSegment {
  const out = new SegmentWriter('meta')
  out.number(RULES_VERSION).number(state.position).number(state.at)
  out.text(JSON.stringify(pipeline.spec)).text(JSON.stringify(pipeline.pending))
  out
    .number(pipeline.ordinals.last)
    .number(pipeline.horizon.end)
    .texts([...pipeline.reported])
  saveCounts(state.counts, out)
  out.number(state.countsBySource.size)
  for (const [name, counts] of state.countsBySource) {
    out.text(name)
    saveCounts(counts, out)
  }
  return out.done()
}

function restoreMeta(state: EngineState, from: SegmentReader): PipelineState {
  const rules = from.number()
  if (rules > RULES_VERSION) {
    throw new SnapshotError(
      `the snapshot follows rules version ${rules}; this Tidemark knows them up to ${RULES_VERSION}`,
    )
  }
  state.position = from.number()
  state.at = from.number()
  const pipeline = newPipeline(PipelineSpec.parse(JSON.parse(from.text())))
  pipeline.pending = JSON.parse(from.text()) as PendingChange | null
  pipeline.ordinals.last = from.number()
  pipeline.horizon.pass(from.number())
  for (const name of from.texts()) pipeline.reported.add(name)
  restoreCounts(state.counts, from)
  const sources = from.number()
  for (let i = 0; i < sources; i++) restoreCounts(countsOf(state, from.text()), from)
  return pipeline
}

function saveCounts(counts: Counts, out: SegmentWriter): void {
  for (const name of COUNTS) out.number(counts[name])
}

function restoreCounts(counts: Counts, from: SegmentReader): void {
  for (const name of COUNTS) counts[name] = from.number()
}

function* idSegments(ids: IdTable): Generator<SnapshotSegment> {
  yield new SegmentWriter('ids').number(ids.shards).done()
  for (let i = 0; i < ids.shards; i++) yield new SegmentWriter(`ids/${i}`).column(ids.saveShard(i)).done()
}

function* viewSegments(pipeline: PipelineState): Generator<SnapshotSegment> {
  for (const view of pipeline.views) {
    const out = new SegmentWriter(`view/${view.spec.id}`)
    view.save(out)
    yield out.done()
  }
}

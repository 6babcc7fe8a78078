import { NotOurs } from './notOurs'

/** What the rules of a dialect mean in ours, where a plain translation does it. */
export interface Dialect {
  /**
   * Its watermark w says that nothing before w is still to come, which is our W = w - 1 (semantics.md §2, marks).
   * Flink's says so of w itself, as ours does.
   */
  readonly exclusive: boolean
  /** Without watermark steps and a bound, time is the largest event time seen: bound 0. */
  readonly streamTime: boolean
  /** Windows that would begin before the epoch do not exist. */
  readonly fromEpoch: boolean
  /** The watermark moves between batches only. */
  readonly byBatch: boolean
  /** Each key has a clock of its own: a pipeline of its own, in ours. */
  readonly byKey: boolean
  /** A number by which it writes "no watermark yet", where it has one. */
  readonly none: number | null
}

const FLINK: Dialect = {
  exclusive: false,
  streamTime: false,
  fromEpoch: false,
  byBatch: false,
  byKey: false,
  none: null,
}
const OTHER: Dialect = { ...FLINK, exclusive: true }

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['flink', FLINK],
  ['flink-valve', FLINK],
  ['flink-multiplexer', FLINK],
  ['kafka-streams', { ...OTHER, streamTime: true, fromEpoch: true, none: -1 }],
  ['quix', { ...OTHER, streamTime: true, fromEpoch: true, byKey: true }],
  ['bytewax', { ...OTHER, streamTime: true, byKey: true }],
  ['risingwave', { ...OTHER, byBatch: true }],
  ['arroyo', OTHER],
  ['beam', OTHER],
  ['spark', { ...OTHER, byBatch: true, none: 0 }],
])

/** Throws NotOurs for a dialect that the schema does not name. */
export function dialectOf(name: string): Dialect {
  const dialect = DIALECTS.get(name)
  if (!dialect) throw new NotOurs(`the dialect ${JSON.stringify(name)} is not one of the schema's`)
  return dialect
}

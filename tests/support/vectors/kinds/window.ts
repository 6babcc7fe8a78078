import { statuses, watermarksThere } from '../clockFacts'
import { clockingOf } from '../clocking'
import { playClocks } from '../clockRun'
import type { Comparison } from '../compare'
import { expectationOf, ofSort } from '../expectation'
import type { Judged } from '../judged'
import { lateFacts } from '../lateFacts'
import type { Vector } from '../schema'
import { emissions, emittingOf, firingFacts } from '../windowFacts'
import { needOurTrigger, runWindows, type WindowRun } from '../windowRun'

/** Results and late elements of a stream cut into windows. */
export function windowKind(vector: Vector): Judged {
  const expectation = expectationOf(vector)
  needOurTrigger(vector.config)
  const emitting = emittingOf(vector)
  const run = runWindows(vector, { aggregate: aggregateOf(vector), ifEnded: emitting === 'each change' })
  return {
    ...run,
    comparisons: [
      firingFacts(expectation, run, emissions(run, emitting, vector.config), emitting),
      ...lateFacts(expectation, run),
      ...clockFacts(vector, run),
    ],
  }
}

/** A vector that leaves its aggregate out tells it by what it expects. */
export function aggregateOf({ config, expected }: Vector): unknown {
  const lists = expected.some(({ value, values }) => Array.isArray(values) || Array.isArray(value))
  return config.aggregate ?? (lists ? 'list' : 'sum')
}

/**
 * Watermarks and statuses that a vector about windows names by the way. Where batches were ended by marks of ours, they
 * are those of events under the bound: marks would say what we have worked out ourselves.
 */
export function clockFacts(vector: Vector, { lanes, steps, dialect }: WindowRun): Comparison[] {
  const expectation = expectationOf(vector)
  const told = (sort: 'watermark' | 'status') => ofSort(expectation, sort).length > 0
  if (!told('watermark') && !told('status')) return []
  const bound = clockingOf(vector, steps, dialect).batchBound
  const seen = bound === null ? (lanes[0]?.seen ?? []) : playClocks(vector, steps, { kind: 'bounded', bound })
  return [
    ...(told('watermark') ? [watermarksThere(expectation, seen, dialect)] : []),
    ...(told('status') ? [statuses(expectation, seen)] : []),
  ]
}

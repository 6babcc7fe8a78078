import { statuses, watermarksEmitted, watermarksThere } from '../clockFacts'
import { clockingOf, generatorOf } from '../clocking'
import { playClocks } from '../clockRun'
import type { Comparison } from '../compare'
import { dialectOf } from '../dialect'
import type { Seen } from '../drive'
import { expectationOf, ofSort } from '../expectation'
import type { Judged } from '../judged'
import { NotOurs } from '../notOurs'
import type { Vector } from '../schema'
import { elementsOf, readSteps, type Step } from '../steps'
import { needStillTime } from '../windowRun'

/** How a watermark follows elements: where it stands after each step that is named. */
export function generatorKind(vector: Vector): Judged {
  const expectation = expectationOf(vector)
  const steps = readSteps(vector)
  needStillTime(vector, steps)
  const seen = playClocks(vector, steps, generatorOf(vector, steps))
  const watermarks = watermarksThere(expectation, seen, dialectOf(vector.dialect))
  if (watermarks.expected.length === 0) throw new NotOurs('it names no watermark that could be compared')
  const told = ofSort(expectation, 'status')
  const status = told.length === 0 ? [] : [statuses(expectation, seen)]
  return judged(steps, seen, [watermarks, ...status])
}

/** When a source falls silent: every change between idle and active. */
export function idleTimerKind(vector: Vector): Judged {
  const expectation = expectationOf(vector)
  if (vector.config.probeIntervalMs !== undefined) {
    throw new NotOurs(
      'idle by probes, counted from the first quiet one: ours is idle as soon as journal time is more than the timeout past its last record',
    )
  }
  const steps = readSteps(vector)
  const seen = playClocks(vector, steps, { kind: 'bounded', bound: 0 })
  const told = ofSort(expectation, 'watermark')
  const watermarks = told.length > 0 ? [watermarksThere(expectation, seen, dialectOf(vector.dialect))] : []
  return judged(steps, seen, [statuses(expectation, seen), ...watermarks])
}

/** The watermark of several partitions: every rise; and every change of status, in the dialects that have one. */
export function combineKind(vector: Vector): Judged {
  const expectation = expectationOf(vector)
  const steps = readSteps(vector)
  const dialect = dialectOf(vector.dialect)
  const seen = playClocks(vector, steps, clockingOf(vector, steps, dialect).strategy)
  const told = vector.dialect.startsWith('flink') || ofSort(expectation, 'status').length > 0
  const status = told ? [statuses(expectation, seen)] : []
  return judged(steps, seen, [watermarksEmitted(expectation, seen, dialect), ...status])
}

function judged(steps: readonly Step[], seen: readonly Seen[], comparisons: readonly Comparison[]): Judged {
  return { comparisons, steps, elements: elementsOf(steps), lanes: [{ seen, ifEnded: [] }] }
}

import { codingOf } from '../coding'
import type { Fact } from '../compare'
import { dialectOf } from '../dialect'
import { Drive } from '../drive'
import { expectationOf, ofSort } from '../expectation'
import type { Judged } from '../judged'
import { NotOurs } from '../notOurs'
import { ONLY, pipelineOf } from '../pipeline'
import type { Vector } from '../schema'
import { sessionEndShift } from '../sessionEnds'
import { type Element, elementsOf, flat, readSteps } from '../steps'
import { exists } from '../windowFacts'
import { isProcessingTime, needOurTrigger } from '../windowRun'
import { needOneGap, windowOf } from '../windows'

/** Which windows an element goes to: a pipeline for each, which ends behind it and so publishes all of them. */
export function assignKind(vector: Vector): Judged {
  const dialect = dialectOf(vector.dialect)
  const expectation = expectationOf(vector)
  needOurTrigger(vector.config)
  if (isProcessingTime(vector.config))
    throw new NotOurs('assigning by processing time: our assigner takes event times')
  const steps = readSteps(vector)
  const elements = elementsOf(steps)
  needOneGap(vector.config.window, elements)
  const window = windowOf(vector.config.window)
  const spec = pipelineOf({ window, strategy: { kind: 'punctuated' }, sources: [ONLY] })
  const spansOf = (element: Element): number[][] => {
    const drive = new Drive(spec, 0)
    drive.events([{ element, source: ONLY, ts: element.ts, ...codingOf('count', []).amountOf(element) }])
    drive.end()
    return drive.seen.revisions.map(({ start, end }) => [start, end])
  }
  const expected = ofSort(expectation, 'windows').map(normal)
  const run = { dialect, window, elements, steps, coding: codingOf('count', []), lanes: [] }
  const ends = expected.flatMap(({ windows }) => (windows as number[][]).map(([, end]) => ({ end })))
  const shift = sessionEndShift(run, ends)
  const actual = steps.flatMap((step, atStep): Fact[] => {
    const spans = flat([step]).flatMap((s) => (s.kind === 'element' ? spansOf(s.element) : []))
    const there = spans.filter(([start = 0]) => exists(run, start))
    const shifted = there.map(([start = 0, end = 0]) => [start, end + shift])
    return step.kind === 'element' || step.kind === 'batch' ? [normal({ windows: shifted, atStep })] : []
  })
  return { ...run, comparisons: [{ sort: 'windows', expected, actual }] }
}

/** Windows as pairs, in order of their starts. */
function normal({ windows, ...rest }: Fact): Fact {
  const pairs = (windows as readonly (readonly number[] | { start: number; end: number })[]).map((w) =>
    'start' in w ? [w.start, w.end] : [...w],
  )
  return {
    ...rest,
    windows: pairs.sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1])),
  }
}

import type { Fact } from '../compare'
import { expectationOf, ofSort } from '../expectation'
import type { Judged } from '../judged'
import { lateFacts } from '../lateFacts'
import { standing } from '../ledger'
import type { Vector } from '../schema'
import { showElements } from '../shownElements'
import { type Element, elementsOf } from '../steps'
import { runWindows, type WindowRun } from '../windowRun'
import { clockFacts } from './window'

/**
 * Elements older than the watermark are dropped where they come in. Ours are judged by their window; with windows of
 * one millisecond that is the same rule: `[ts, ts + 1)` is closed when W >= ts.
 */
export function ingestFilterKind(vector: Vector): Judged {
  const expectation = expectationOf(vector)
  const run = runWindows(vector, {
    window: { kind: 'tumbling', size: 1 },
    aggregate: 'members',
    ifEnded: true,
  })
  const told = ofSort(expectation, 'kept')
  const kept = told.some(({ kept }) => typeof kept === 'boolean')
    ? { sort: 'kept', expected: told, actual: flags(run) }
    : showElements('kept', told, keptBy(run), run.elements)
  return { ...run, comparisons: [kept, ...lateFacts(expectation, run), ...clockFacts(vector, run)] }
}

/** Elements of each step that are in a row when the stream ends: an element that is nowhere was not kept. */
function keptBy({ steps, lanes, coding }: WindowRun): readonly (readonly Element[])[] {
  const rows = lanes.flatMap(({ ifEnded }) => standing(ifEnded.at(-1) ?? []))
  const counted = new Set(rows.flatMap(({ after }) => coding.show(coding.contentOf(after)) as number[]))
  return steps.map((step) => elementsOf([step]).filter(({ ordinal }) => counted.has(ordinal)))
}

function flags(run: WindowRun): readonly Fact[] {
  return keptBy(run).flatMap((kept, atStep) =>
    run.steps[atStep]?.kind === 'element' ? [{ kept: kept.length > 0, atStep }] : [],
  )
}

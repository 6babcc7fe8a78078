import { expectationOf, ofSort } from '../expectation'
import type { Judged } from '../judged'
import { lateFacts } from '../lateFacts'
import { firings } from '../ledger'
import { NotOurs } from '../notOurs'
import type { Vector } from '../schema'
import { showElements } from '../shownElements'
import { partitionsOf, readSteps } from '../steps'
import { runWindows } from '../windowRun'

/**
 * Elements are held back until the watermark has passed them. Ours are held in windows; with windows of one
 * millisecond that is the same rule: `[ts, ts + 1)` fires when W >= ts.
 */
export function releaseKind(vector: Vector): Judged {
  const expectation = expectationOf(vector)
  if (vector.dialect === 'kafka-streams' && partitionsOf(readSteps(vector)).length > 0) {
    throw new NotOurs('records wait there until each partition has one; ours are folded as they come')
  }
  const run = runWindows(vector, { window: { kind: 'tumbling', size: 1 }, aggregate: 'members' })
  const fired = run.lanes.flatMap(({ seen }) => firings(seen, run.coding, true))
  const released = run.steps.map((_, step) => {
    const ordinals = new Set(
      fired
        .filter((f) => f.step === step)
        .flatMap(({ content }) => run.coding.show(content ?? 0n) as number[]),
    )
    return run.elements.filter(({ ordinal }) => ordinals.has(ordinal))
  })
  return {
    ...run,
    comparisons: [
      showElements('released', ofSort(expectation, 'released'), released, run.elements),
      ...lateFacts(expectation, run),
    ],
  }
}

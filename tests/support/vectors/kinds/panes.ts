import type { Fact } from '../compare'
import { expectationOf, ofSort } from '../expectation'
import type { Judged } from '../judged'
import { lateFacts } from '../lateFacts'
import type { Emission } from '../ledger'
import { NotOurs } from '../notOurs'
import type { Loose, Vector } from '../schema'
import { sessionEndShift } from '../sessionEnds'
import { emissions, sorted } from '../windowFacts'
import { needOurTrigger, runWindows } from '../windowRun'
import { aggregateOf, windowKind } from './window'

/** Results with the place that each has among those of its window. */
export function panesKind(vector: Vector): Judged {
  const expectation = expectationOf(vector)
  needOurTrigger(vector.config)
  if (/always/i.test(String(vector.config.closingBehavior ?? vector.config.closing ?? ''))) {
    throw new NotOurs('an empty last pane at expiry: ours fire for events only')
  }
  // Told as firings, it is a vector about windows.
  if (ofSort(expectation, 'pane').length === 0) return windowKind(vector)
  const expected = ofSort(expectation, 'pane').map(normal)
  const run = runWindows(vector, { aggregate: aggregateOf(vector) })
  const shift = sessionEndShift(run, expected)
  const actual = emissions(run, 'each firing', vector.config).map((emission) => ({
    key: emission.key,
    start: emission.start,
    end: emission.end + shift,
    value: sorted(run.coding.show(emission.content ?? 0n)),
    atStep: emission.step,
    ...paneOf(emission),
  }))
  return { ...run, comparisons: [{ sort: 'pane', expected, actual }, ...lateFacts(expectation, run)] }
}

/** Fields of a pane are compared one by one, so that those which are left out are not. */
function normal({ pane, values, value, ...rest }: Fact): Fact {
  const fields: Loose = typeof pane === 'object' && pane !== null ? (pane as Loose) : { timing: pane }
  const told = values === undefined ? value : values
  const flat = Object.entries(fields).map(([name, field]) => [`pane.${name}`, paneField(name, field)])
  return { ...rest, ...(told === undefined ? {} : { value: sorted(told) }), ...Object.fromEntries(flat) }
}

const KNOWN = ['timing', 'index', 'nonSpeculativeIndex', 'onTimeIndex', 'isFirst', 'isLast']

function paneField(name: string, field: unknown): unknown {
  if (!KNOWN.includes(name)) throw new NotOurs(`a pane's ${JSON.stringify(name)}`)
  if (name !== 'timing') return field
  const timing = String(field).toLowerCase().replace('_', '-')
  if (timing === 'early')
    throw new NotOurs('an early pane: ours fire at the window’s end and with each correction')
  return timing
}

/** Without early panes the two indices are one. */
function paneOf({ timing, index, last }: Emission): Fact {
  return {
    'pane.timing': timing,
    'pane.index': index,
    'pane.nonSpeculativeIndex': index,
    'pane.onTimeIndex': index,
    'pane.isFirst': index === 0,
    'pane.isLast': last,
  }
}

import type { Fact } from '../compare'
import { expectationOf, ofSort } from '../expectation'
import type { Judged } from '../judged'
import { standing } from '../ledger'
import { NotOurs } from '../notOurs'
import type { Vector } from '../schema'
import { sessionEndShift } from '../sessionEnds'
import { runWindows } from '../windowRun'
import { windowKind } from './window'

/** The sessions that stand after all elements (or after a step that is named), whatever order they came in. */
export function sessionMergeKind(vector: Vector): Judged {
  const expectation = expectationOf(vector)
  const told = ofSort(expectation, 'sessions')
  if (expectation.facts.length === 0) throw new NotOurs('it names no session that could be compared')
  // Told as firings, it is a vector about windows.
  if (told.length === 0) return windowKind(vector)
  const run = runWindows(vector, { aggregate: 'count', ifEnded: true, still: true })
  const expected = told.flatMap(byKey).map(normal)
  const ends = expected.flatMap(({ sessions }) => (sessions as number[][]).map(([, end]) => ({ end })))
  const shift = sessionEndShift(run, ends)
  const actual = expected.map(({ key, atStep }): Fact => {
    const step = atStep === undefined ? run.steps.length - 1 : Number(atStep)
    const rows = run.lanes.flatMap(({ ifEnded }) => standing(ifEnded[step] ?? []))
    const sessions = rows
      .filter(({ dims }) => key === undefined || dims[0] === key)
      .map(({ start, end }) => [start, end + shift])
    return normal({
      sessions,
      ...(key === undefined ? {} : { key }),
      ...(atStep === undefined ? {} : { atStep }),
    })
  })
  return { ...run, comparisons: [{ sort: 'sessions', expected, actual }] }
}

/** Sessions may be told by key: `{sessions: {a: […], b: […]}}`. */
function byKey({ sessions, ...rest }: Fact): Fact[] {
  if (Array.isArray(sessions)) return [{ sessions, ...rest }]
  return Object.entries(sessions as object).map(([key, own]) => ({ sessions: own, key, ...rest }))
}

function normal({ sessions, ...rest }: Fact): Fact {
  const pairs = (sessions as readonly (readonly number[] | { start: number; end: number })[]).map((s) =>
    'start' in s ? [s.start, s.end] : [...s],
  )
  return { ...rest, sessions: pairs.sort((a, b) => Number(a[0]) - Number(b[0])) }
}

import { MIN_INSTANT } from '@/server/contracts/instant'
import type { Revision } from '@/server/contracts/windowRow'
import { type Comparison, differences, type Fact, states } from '../compare'
import { msOf } from '../instants'
import type { Judged } from '../judged'
import type { Loose, Vector } from '../schema'
import { elementsOf } from '../steps'
import type { Lane } from '../windowRun'

export const isSession = ({ config }: Vector) => (config.window as Loose | undefined)?.type === 'session'
const gapOf = ({ config }: Vector) => msOf(config.window as Loose, 'gapMs') ?? 0
const keepsClosed = (vector: Vector) => /kafka|quix|bytewax/.test(vector.dialect) && isSession(vector)

export function touchingSessions(vector: Vector, { elements }: Judged): string | null {
  if (vector.dialect !== 'beam' || !isSession(vector)) return null
  const gap = gapOf(vector)
  const touch = elements.some((a) => elements.some((b) => a.key === b.key && b.ts - a.ts === gap))
  return touch ? "sessions that only touch stay apart there; ours merge, as Flink's do" : null
}

/** Ours is late for a session that ends (with L) where time stands; there time must have passed that. */
export function sessionBorder(vector: Vector, { lanes }: Judged): string | null {
  if (!keepsClosed(vector)) return null
  const keeps = gapOf(vector) + (msOf(vector.config, 'allowedLatenessMs', 'graceMs') ?? 0)
  const border = lanes.some(({ seen }) =>
    seen.some(({ late }, i) => {
      const time = (seen[i - 1]?.watermark ?? MIN_INSTANT) + 1
      return late.some(({ element }) => element.ts + keeps === time)
    }),
  )
  return border ? 'a session is kept there until time has passed its end; ours until time is there' : null
}

/** Ours does not merge a closed session again (semantics.md §4). */
export function closedSession(vector: Vector, judged: Judged): string | null {
  if (!keepsClosed(vector)) return null
  const joined = judged.lanes.some((lane) => joinsClosed(gapOf(vector), judged, lane))
  return joined ? 'a session that has ended is joined there once more; ours is not after it has closed' : null
}

function joinsClosed(gap: number, { steps }: Judged, { seen }: Lane): boolean {
  const spans = new Map<number, Revision>()
  const gone: Revision[] = []
  return steps.some((step, i) => {
    const joins = elementsOf([step]).some(({ key, ts }) =>
      gone.some(({ dims, start, end }) => dims[0] === key && start <= ts + gap && ts <= end),
    )
    for (const revision of seen[i]?.revisions ?? []) spans.set(revision.windowId, revision)
    for (const { windowId } of seen[i]?.closed ?? []) {
      const span = spans.get(windowId)
      if (span) gone.push(span)
    }
    return joins
  })
}

/** All that differs is that what ours tells at a session's end and L is told there later. */
export function laterSession(vector: Vector, { comparisons }: Judged): string | null {
  const later = keepsClosed(vector) && comparisons.every(comesLater)
  return later ? 'a session is kept there past its end and grace; ours until then' : null
}

function comesLater(comparison: Comparison): boolean {
  const { sort, expected, actual } = comparison
  if (differences(comparison).length === 0) return true
  const undated = (facts: readonly Fact[]) => facts.map(({ atStep: _, ...rest }) => rest)
  if (differences({ sort, expected: undated(expected), actual: undated(actual) }).length > 0) return false
  return expected.every(({ atStep, ...rest }) =>
    actual.some((fact) => states(rest, fact) && Number(fact.atStep) <= Number(atStep)),
  )
}

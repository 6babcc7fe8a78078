import type { Comparison, Fact } from './compare'
import type { LateSeen } from './drive'
import type { Expectation } from './expectation'
import { readInstant } from './instants'
import type { Loose } from './schema'
import { sessionEndShift } from './sessionEnds'
import { textOf } from './steps'
import { exists } from './windowFacts'
import type { WindowRun } from './windowRun'
import { startsAround } from './windows'

/** The late side output, and what the engine handed to the late store or noted as missed windows. */
export function lateFacts({ late }: Expectation, run: WindowRun): Comparison[] {
  if (late === undefined) return []
  const pairs = late.some(({ window }) => window !== undefined)
  const expected = late.map(normal)
  const ends = expected.flatMap(({ window }) =>
    window === undefined ? [] : [{ end: (window as number[])[1] }],
  )
  const shift = sessionEndShift(run, ends)
  // An element that missed some of its windows: late for some systems, told with the windows or not at all.
  const tells = (missed: LateSeen) =>
    pairs || expected.some(({ key, ts }) => key === missed.element.key && ts === missed.element.ts)
  const actual = run.lanes.flatMap(({ seen }) =>
    seen.flatMap((step, atStep) =>
      step.late
        .filter((missed) => missed.all || tells(missed))
        .flatMap((missed) => factsOf(missed, atStep, run, pairs, pairs ? shift : 0)),
    ),
  )
  return [{ sort: 'late', expected, actual }]
}

function normal(fact: Loose): Fact {
  const { key, ts, value, atStep, window } = fact
  const told = window as readonly unknown[] | { start: unknown; end: unknown } | undefined
  const [start, end] = Array.isArray(told) ? told : [(told as Loose)?.start, (told as Loose)?.end]
  return {
    ...(key === undefined ? {} : { key: key === null ? null : textOf(key) }),
    ...(ts === undefined ? {} : { ts: readInstant(ts, 'ts') }),
    ...(value === undefined ? {} : { value }),
    ...(atStep === undefined ? {} : { atStep }),
    ...(told === undefined ? {} : { window: [start, end] }),
  }
}

function factsOf(missed: LateSeen, atStep: number, run: WindowRun, pairs: boolean, shift: number): Fact[] {
  const { key, ts, value } = missed.element
  const fact = { key, ts, value, atStep }
  if (!pairs) return [fact]
  return windowsOf(missed, run)
    .filter(([start]) => exists(run, start))
    .map(([start, end]) => ({ ...fact, window: [start, end + shift] }))
}

/** The windows that an element came too late for. */
function windowsOf({ element, all, start, end }: LateSeen, { window }: WindowRun): [number, number][] {
  if (window.kind !== 'sliding') return [[start, end]]
  const [size, slide, offset] = [Number(window.size), Number(window.slide), Number(window.offset ?? 0)]
  return startsAround(element.ts, size, slide, offset)
    .filter((from) => all || (start <= from && from + size <= end))
    .map((from) => [from, from + size])
}

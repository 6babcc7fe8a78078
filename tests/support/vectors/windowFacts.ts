import type { Comparison, Fact } from './compare'
import { type Expectation, ofSort } from './expectation'
import { type Emission, finals, firings, updates } from './ledger'
import { NotOurs } from './notOurs'
import type { Loose, Vector } from './schema'
import { sessionEndShift } from './sessionEnds'
import type { WindowRun } from './windowRun'

export type Emitting = 'each firing' | 'each change' | 'once closed'

/** When the dialect lets results out of a window. */
export function emittingOf({ config, dialect }: Vector): Emitting {
  const told = config.emit ?? (/update|close/i.test(String(config.trigger)) ? config.trigger : undefined)
  const emit = String(told ?? (/kafka|quix/.test(dialect) ? 'update' : '')).toLowerCase()
  if (emit === '') return 'each firing'
  if (/update|current|change/.test(emit)) return 'each change'
  if (/final|close|append|once|suppress/.test(emit)) return 'once closed'
  throw new NotOurs(`emitting ${JSON.stringify(told)}: ours are each firing, each change, or once closed`)
}

/** Results of a run, in the order of their steps. */
export function emissions(run: WindowRun, emitting: Emitting, { accumulation }: Loose): readonly Emission[] {
  if (/retract/i.test(String(accumulation ?? '')))
    throw new NotOurs('retractions between firings are not ours')
  const discarding = accumulation === 'discarding'
  const all = run.lanes.flatMap(({ seen, ifEnded }) => {
    if (emitting === 'each change') return updates(ifEnded, seen, run.coding)
    if (emitting === 'once closed') return finals(seen, run.coding)
    return firings(seen, run.coding, discarding)
  })
  return all.filter(({ start }) => exists(run, start)).sort((a, b) => a.step - b.step)
}

/** Some dialects have no windows that begin before the epoch; events around it are in fewer windows there. */
export function exists(run: WindowRun, start: number): boolean {
  return start >= 0 || !run.dialect.fromEpoch || run.window.kind !== 'sliding'
}

/** The results that a vector expects, and those of the engine. */
export function firingFacts(
  expectation: Expectation,
  run: WindowRun,
  all: readonly Emission[],
  emitting: Emitting,
): Comparison {
  const expected = ofSort(expectation, 'firing').map((fact) => normal(fact, emitting))
  const shift = sessionEndShift(run, expected)
  // Retractions of running totals are told by some and not by others; compared where they are told.
  const nulls = expected.some(({ value }) => value === null)
  const actual = all
    .filter(({ content }) => content !== null || nulls)
    .map((emission) => ({
      key: emission.key,
      start: emission.start,
      end: emission.end + shift,
      value: emission.content === null ? null : sorted(run.coding.show(emission.content)),
      timing: emission.timing,
      atStep: emission.step,
    }))
  return { sort: 'firing', expected, actual }
}

function normal(fact: Fact, emitting: Emitting): Fact {
  const { value, values, timing, ...rest } = fact
  const told = values === undefined ? value : values
  const when = String(timing ?? '')
    .toLowerCase()
    .replace('_', '-')
  if (emitting === 'each firing' && when === 'early') {
    throw new NotOurs('an early firing: ours fire at the window’s end and with each correction')
  }
  // "final" and the like are the way of emitting once more, not a time.
  const named = /^(early|on-time|late)$/.test(when) ? { timing: when } : {}
  return {
    ...rest,
    ...(told === undefined ? {} : { value: sorted(told) }),
    ...(emitting === 'each firing' ? named : {}),
  }
}

/** A list of values is a set that may hold one twice. */
export function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort((a, b) => (String(a) < String(b) ? -1 : 1)) : value
}

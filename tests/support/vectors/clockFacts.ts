import { MIN_INSTANT } from '@/server/contracts/instant'
import { type Comparison, differences, type Fact } from './compare'
import type { Dialect } from './dialect'
import { nothingSeen, type Seen } from './drive'
import { type Expectation, ofSort } from './expectation'
import { readInstant, showInstant } from './instants'

/** Our watermark as the dialect writes it. */
export function watermarkIn(dialect: Dialect, watermark: number): number | string {
  const shown = showInstant(watermark)
  return typeof shown === 'number' && dialect.exclusive ? shown + 1 : shown
}

/**
 * Where the watermark stands after each step that the vector names. Where it moves between batches only, some tell it
 * as of the beginning of a step: so are ours shown when all facts fit that.
 */
export function watermarksThere(
  expectation: Expectation,
  seen: readonly Seen[],
  dialect: Dialect,
): Comparison {
  const after = watermarksAfter(expectation, seen, dialect)
  if (!dialect.byBatch || differences(after).length === 0) return after
  const before = watermarksAfter(expectation, [nothingSeen(), ...seen], dialect)
  return differences(before).length === 0 ? before : after
}

function watermarksAfter(expectation: Expectation, seen: readonly Seen[], dialect: Dialect): Comparison {
  const expected = ofSort(expectation, 'watermark').map(normal)
  const named = new Map(expected.map(({ atStep, watermark }) => [atStep, watermark]))
  const actual = seen.flatMap(({ watermark }, atStep) => {
    if (!named.has(atStep)) return []
    const none = watermark === MIN_INSTANT && dialect.none !== null && named.get(atStep) === dialect.none
    return [{ watermark: none ? dialect.none : watermarkIn(dialect, watermark), atStep }]
  })
  return { sort: 'watermark', expected, actual }
}

/** Every rise of the watermark must be named, and what is named must hold after its step. */
export function watermarksEmitted(
  expectation: Expectation,
  seen: readonly Seen[],
  dialect: Dialect,
): Comparison {
  const there = watermarksThere(expectation, seen, dialect)
  const rises = seen.flatMap(({ watermark }, atStep): Fact[] => {
    const before = seen[atStep - 1]?.watermark ?? Number.NEGATIVE_INFINITY
    return watermark > before ? [{ watermark: watermarkIn(dialect, watermark), atStep }] : []
  })
  return { ...there, actual: [...there.actual, ...rises] }
}

/** Every change of the pipeline between idle and active. */
export function statuses(expectation: Expectation, seen: readonly Seen[]): Comparison {
  const actual = seen.flatMap(({ idle }, atStep): Fact[] => {
    const before = seen[atStep - 1]?.idle ?? false
    return idle === before ? [] : [{ status: idle ? 'idle' : 'active', atStep }]
  })
  const expected = ofSort(expectation, 'status').map(({ status, atStep }) => ({
    status: String(status).toLowerCase(),
    atStep,
  }))
  return { sort: 'status', expected, actual }
}

function normal({ watermark, atStep }: Fact): Fact {
  return { watermark: showInstant(readInstant(watermark, 'watermark')), atStep }
}

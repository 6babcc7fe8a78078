import fc from 'fast-check'
import type { SpecInput } from '../engine'
import type { Shape } from './shapes'
import { type RawStrategy, rawStrategy, strategyOf } from './strategies'

/** Names that programs use; `x1` is often a test source, `n1` often declared by a command. */
export const SOURCES = ['a', 'b', 'c', 'e1', 'n1', 'x1']

const units = (least: number, most: number) => fc.integer({ min: least, max: most })
const timeout = fc.option(units(1, 60), { freq: 6 })

const declared = fc.record({
  name: fc.constantFrom(...SOURCES),
  strategy: fc.option(rawStrategy),
  idleTimeout: fc.option(timeout, { freq: 2, nil: undefined }),
  test: fc.nat(3).map((n) => n === 0),
  pulled: fc.boolean(),
})

/** Everything about a pipeline but its views, in units of time. */
export const rawSettings = fc.record({
  strategy: rawStrategy,
  idleTimeout: timeout,
  lateness: fc.oneof(fc.constant(0), units(0, 30), units(20, 150)),
  inactivity: fc.option(units(10, 90), { freq: 2 }),
  drift: fc.option(units(1, 40), { freq: 2 }),
  coalesce: fc.constantFrom('record', 'record', 'event'),
  most: fc.oneof(fc.constant(1_000), units(1, 5)),
  sources: fc.uniqueArray(declared, { selector: (s) => s.name, maxLength: 5 }),
})
export type RawSettings = typeof rawSettings extends fc.Arbitrary<infer T> ? T : never

/** Durations of one unit more than nothing: none of them may be 0. */
export function specOf(raw: RawSettings, { scale, views }: Shape): SpecInput {
  const ms = (n: number | null) => (n === null ? null : n * scale)
  return {
    strategy: strategyOf(raw.strategy, scale),
    idleTimeout: ms(raw.idleTimeout),
    allowedLateness: raw.lateness * scale,
    closeByInactivity: ms(raw.inactivity),
    maxDrift: ms(raw.drift),
    coalesce: raw.coalesce,
    maxSources: Math.max(raw.most, raw.sources.length),
    sources: raw.sources.map(({ name, strategy, idleTimeout, test, pulled }) => ({
      ...{ name, test: test && name !== 'a', pulled },
      ...(strategy && { strategy: strategyOf(strategy, scale) }),
      ...(idleTimeout !== undefined && { idleTimeout: ms(idleTimeout) }),
    })),
    views,
  }
}

/** Sources that move by marks from the start: they need some. */
export function punctuated(raw: RawSettings): Set<string> {
  const of = (name: string): RawStrategy => raw.sources.find((s) => s.name === name)?.strategy ?? raw.strategy
  return new Set(SOURCES.filter((name) => of(name).kind === 'punctuated'))
}

import fc from 'fast-check'
import type { PipelineSpec } from '../../../server/contracts/pipelineSpec'

const units = (least: number, most: number) => fc.integer({ min: least, max: most })

/** A strategy in units of time; `strategyOf` gives them a length. */
export const rawStrategy = fc.record({
  kind: fc.constantFrom(
    ...(['bounded', 'bounded', 'bounded', 'ascending', 'punctuated', 'adaptive', 'adaptive'] as const),
  ),
  bound: units(0, 12),
  every: units(5, 30),
  sample: units(5, 40),
  atLeast: units(1, 5),
  percentile: fc.constantFrom(25, 50, 95, 100),
  factor: fc.constantFrom(0.5, 1, 1.5, 2),
  least: units(0, 5),
  most: units(5, 60),
  fall: fc.constantFrom(5, 20, 50, 100),
})
export type RawStrategy = typeof rawStrategy extends fc.Arbitrary<infer T> ? T : never

/** `scale` is how many ms a unit of time has. */
export function strategyOf(raw: RawStrategy, scale: number): PipelineSpec['strategy'] {
  const { kind } = raw
  if (kind === 'bounded') return { kind, bound: raw.bound * scale }
  if (kind !== 'adaptive') return { kind }
  const { sample, atLeast, percentile, factor, fall } = raw
  const learned = { initial: raw.bound * scale, every: raw.every * scale, least: raw.least * scale }
  return { kind, ...learned, most: raw.most * scale, sample, atLeast, percentile, factor, fall }
}

import { z } from 'zod'
import { NonNegativeDuration, PositiveDuration } from './duration'
import { strictObject, whenFieldsAreRight } from './strictObject'

const percent = z.number().gt(0).max(100)

/**
 * How a source's watermark follows its events (semantics.md §2). A closed union: the engine tests every member.
 * All durations are ms.
 */
export const Strategy = z.discriminatedUnion('kind', [
  /** `W = maxTs - bound - 1`. */
  strictObject({ kind: z.literal('bounded'), bound: NonNegativeDuration }),
  /** Bounded by 0: equal event times are in time. */
  strictObject({ kind: z.literal('ascending') }),
  /** W moves on the producer's marks only. */
  strictObject({ kind: z.literal('punctuated') }),
  /** Bounded by what the source's own delays teach. */
  strictObject({
    kind: z.literal('adaptive'),
    /** The bound until `atLeast` delays are known. */
    initial: NonNegativeDuration.default(30_000),
    /** A step is due at each multiple of this much journal time. */
    every: PositiveDuration.default(10_000),
    /** Delays that are looked at: the last so many. */
    sample: z.number().int().min(1).max(100_000).default(1_000),
    atLeast: z.number().int().min(1).max(100_000).default(200),
    /** Nearest rank of the delays, in percent, and what it is multiplied by. */
    percentile: percent.default(95),
    factor: z.number().gt(0).max(100).default(1.5),
    least: NonNegativeDuration.default(5_000),
    most: NonNegativeDuration.default(300_000),
    /** The bound falls by at most so many percent a step. */
    fall: percent.default(20),
  })
    .refine((s) => s.least <= s.most, {
      path: ['least'],
      message: 'must not be more than most',
      ...whenFieldsAreRight,
    })
    .refine((s) => s.atLeast <= s.sample, {
      path: ['atLeast'],
      message: 'must not be more than sample',
      ...whenFieldsAreRight,
    }),
])
export type Strategy = z.infer<typeof Strategy>
export type AdaptiveStrategy = Extract<Strategy, { kind: 'adaptive' }>

import type { z } from 'zod'
import { type AdaptiveStrategy, Strategy } from '../../../../server/contracts/strategy'
import { AdaptiveBound } from '../../../../server/engine/clock/adaptiveBound'

type Given = Partial<Extract<z.input<typeof Strategy>, { kind: 'adaptive' }>>

/** The adaptive strategy with its defaults, but for what is given. */
export function adaptive(given: Given = {}): AdaptiveStrategy {
  const strategy = Strategy.parse({ ...given, kind: 'adaptive' })
  if (strategy.kind !== 'adaptive') throw new RangeError('not adaptive')
  return strategy
}

/** One that follows its percentile freely from the first delay on, a step each second. */
export const FREE = { every: 1_000, atLeast: 1, factor: 1, least: 0, most: 1e9, fall: 100 } as const

/** A bound that has seen these delays. */
export function learnt(given: Given, delays: readonly number[], at = 0): AdaptiveBound {
  const bound = new AdaptiveBound(adaptive(given), at)
  for (const delay of delays) bound.sample(delay)
  return bound
}

import { z } from 'zod'
import { LIMITS } from './limits'
import { strictObject } from './strictObject'
import { WindowSpec } from './windowSpec'

/** In `groupBy`: the event's userId field instead of a dimension. */
export const USER_ID = 'userId'

const id = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'small letters, digits and _, starting with a letter')
const dimensionName = z.string().min(1).max(LIMITS.dimensionNameChars)

/** Named twice, a dimension would stand in the key twice and tell no more rows apart. */
function namedOnce(names: readonly string[], ctx: z.core.$RefinementCtx): void {
  for (const i of repeated(names)) {
    ctx.addIssue({ code: 'custom', path: [i], message: `${names[i]} is named twice` })
  }
}

/** Places of those that stood in the list before. */
export function repeated(names: readonly string[]): number[] {
  const seen = new Set<string>()
  return names.flatMap((name, i) => (seen.size === seen.add(name).size ? [i] : []))
}

export const ViewSpec = strictObject({
  id,
  version: z.number().int().positive().default(1),
  window: WindowSpec,
  /** What an event's window goes by: when the order happened, or (`journal`) when it arrived (semantics.md §4). */
  time: z.enum(['event', 'journal']).default('event'),
  /** Dimensions of the key, `userId` allowed. Currency always is one and is not named here. */
  groupBy: z.array(dimensionName).max(LIMITS.dimensions).superRefine(namedOnce).default([]),
  /** Keys a window holds before the rest falls into `__other__` (semantics.md §8). */
  maxKeys: z.number().int().min(1).max(1_000_000).default(10_000),
})
export type ViewSpec = z.infer<typeof ViewSpec>

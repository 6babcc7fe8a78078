import ms from 'ms'
import { z } from 'zod'

/**
 * Reads a duration that carries its unit ("250ms", "5s", "10m", "1h", "400d") as whole milliseconds.
 * Returns null when it is none: a bare number has no unit and is refused (style.md, rule 9).
 */
export function parseDuration(text: string): number | null {
  if (!/^-?\d+(\.\d+)?\s?[a-z]+$/i.test(text) || text.length > 32) return null
  const value = ms(text as ms.StringValue)
  return typeof value === 'number' && Number.isInteger(value) ? value : null
}

const HOW = 'write 250ms, 5s, 10m, 1h or 2d'
const notOne = (value: unknown) =>
  value === undefined ? `missing: ${HOW}` : `not a duration: ${JSON.stringify(value).slice(0, 60)}; ${HOW}`

/** A duration in a spec: milliseconds, or text with a unit. Negative ones are refused with the field's path. */
export const Duration = z
  .union([z.number(), z.string()], { error: ({ input }) => notOne(input) })
  .transform((value, ctx) => {
    const parsed = typeof value === 'number' ? value : parseDuration(value)
    if (parsed !== null && Number.isSafeInteger(parsed)) return parsed
    ctx.addIssue({ code: 'custom', message: notOne(value) })
    return z.NEVER
  })
export const NonNegativeDuration = Duration.refine((value) => value >= 0, 'must be 0 or more')
export const PositiveDuration = Duration.refine((value) => value > 0, 'must be more than 0')

import { z } from 'zod'
import { PositiveDuration } from './duration'
import { durationText } from './specWords'
import { strictObject } from './strictObject'

/**
 * Which late events are re-injected by themselves once they are verified (semantics.md §5). Each condition that is set
 * must hold; with none set, none is.
 */
export const LateRules = strictObject({
  /** Those that came too late by at most this, ms. */
  reinjectUpTo: PositiveDuration.nullable().default(null),
  /** Those of at most this amount, whatever the currency: a decimal string. */
  maxAmount: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,4})?$/, 'a decimal such as "500.00", at most 4 decimals, below 10^12')
    .nullable()
    .default(null),
})
export type LateRules = z.infer<typeof LateRules>

export function ruleApplies({ reinjectUpTo, maxAmount }: LateRules): boolean {
  return reinjectUpTo !== null || maxAmount !== null
}

/** "late by at most 1h, amounts up to 500.00"; "off". */
export function lateRulesText({ reinjectUpTo, maxAmount }: LateRules): string {
  const conditions = [
    ...(reinjectUpTo === null ? [] : [`late by at most ${durationText(reinjectUpTo)}`]),
    ...(maxAmount === null ? [] : [`amounts up to ${maxAmount}`]),
  ]
  return conditions.join(', ') || 'off'
}

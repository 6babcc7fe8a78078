import { z } from 'zod'
import { PositiveDuration } from './duration'
import { EVENT_FIELDS } from './eventFields'
import { LIMITS, SOURCE_NAME } from './limits'
import { Strategy } from './strategy'
import { strictObject } from './strictObject'

export const TIME_UNITS = ['ms', 's', 'us', 'ns'] as const

const MAPPABLE = new RegExp(`^(${EVENT_FIELDS.join('|')}|dimensions\\..{1,${LIMITS.dimensionNameChars}})$`)

function mappableFields(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_key') return undefined
  return `not a field of ours: they are ${EVENT_FIELDS.join(', ')}, and dimensions.NAME`
}

/** What is particular to one source. What it leaves out comes from the pipeline. */
export const SourceSpec = strictObject({
  name: z.string().regex(SOURCE_NAME, 'letters, digits, . _ : -, at most 64'),
  strategy: Strategy.optional(),
  /** null switches idleness off for this source. */
  idleTimeout: PositiveDuration.nullable().optional(),
  maxAge: PositiveDuration.nullable().optional(),
  /** Received, checked and shown; never counted, nor part of the watermark (semantics.md §3). */
  test: z.boolean().default(false),
  /** We read it at our own pace, so it can be told to wait (alignment). What is sent over HTTP cannot. */
  pulled: z.boolean().default(false),
  /** Refuse events that carry a field we do not know, instead of ignoring the field. */
  strict: z.boolean().default(false),
  /** Unit of a numeric eventTime. */
  unit: z.enum(TIME_UNITS).default('ms'),
  /** Our field → the producer's field, so that an existing producer need not change. */
  map: z
    .record(z.string().regex(MAPPABLE), z.string().min(1).max(LIMITS.idChars), { error: mappableFields })
    .default({}),
})
export type SourceSpec = z.infer<typeof SourceSpec>

import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import type { Strategy } from '@/server/contracts/strategy'
import { Refused } from './notOurs'
import { issuesOf } from './schema'
import type { WindowInput } from './windows'

/** The view that a vector asks about. */
export const ASKED = 'asked'
/** The one source of a vector that names no partitions. */
export const ONLY = 'only'

export interface PipelineParts {
  readonly window: WindowInput
  readonly lateness?: number
  readonly strategy: Strategy
  readonly idleTimeout?: number | null
  readonly sources: readonly string[]
  /** The window goes by journal time. Its base view is there for the spec alone: without a mark nothing is late. */
  readonly byJournal?: boolean
}

export function specInput(parts: PipelineParts): unknown {
  const { window, lateness = 0, strategy, idleTimeout = null, sources, byJournal = false } = parts
  const asked = { id: ASKED, window, groupBy: ['key'] }
  const hidden = { id: 'hidden', window: { kind: 'tumbling', size: 3_600_000 } }
  return {
    strategy,
    idleTimeout,
    allowedLateness: lateness,
    coalesce: 'event',
    sources: sources.map((name) => ({ name })),
    views: byJournal ? [{ ...asked, time: 'journal' }, hidden] : [asked],
  }
}

/** Throws Refused, with our reason, for a definition that we refuse. */
export function pipelineOf(parts: PipelineParts): PipelineSpec {
  const spec = PipelineSpec.safeParse(specInput(parts))
  if (!spec.success) throw new Refused(`we refuse this definition: ${issuesOf(spec.error)}`)
  return spec.data
}

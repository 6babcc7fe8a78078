import { PipelineSpec } from '../../../server/contracts/pipelineSpec'

export const minute = { id: 'm', window: { kind: 'tumbling', size: '1m' } }
export const day = (zone: string) => ({ id: 'd', window: { kind: 'calendar', unit: 'day', zone } })
export const session = { id: 's', window: { kind: 'session', gap: '30m' } }
/** The minute, and a view `x` of this window beside it. */
export const beside = (window: Record<string, unknown>) => ({ views: [minute, { id: 'x', window }] })

/** A name for the case; where it is refused; what is said of it; the definition, or what differs in it. */
export type Refused = [name: string, path: string, says: RegExp, over: Record<string, unknown>]

/** Why a definition is refused: `path: message` for each field. */
export function refusals(over: Record<string, unknown>): string[] {
  const result = PipelineSpec.safeParse({ views: [minute], ...over })
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

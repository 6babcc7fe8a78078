import type { Strategy } from '@/server/contracts/strategy'
import { type Dialect, dialectOf } from './dialect'
import { msOf } from './instants'
import { NotOurs } from './notOurs'
import type { Loose, Vector } from './schema'
import { flat, type Step } from './steps'

/** What moves the watermark of a vector. */
export interface Clocking {
  readonly strategy: Strategy
  /** A mark at the end of each batch, this far behind the largest event time, ms; null: none. */
  readonly batchBound: number | null
}

const BOUND_NAME = /(outOfOrderness|delay|bound|wait)\w*Ms$/i

/** Out-of-orderness bound of a config in ms, under whatever name its dialect has for it. */
export function boundOf(config: Loose): number | undefined {
  const name = Object.keys(config).find((key) => BOUND_NAME.test(key))
  return name === undefined ? undefined : msOf(config, name)
}

/** Idle timeout of a config in ms, or null: sources are never idle of themselves. */
export function idleTimeoutOf(config: Loose): number | null {
  const name = Object.keys(config).find((key) => /^idle\w*Ms$/i.test(key))
  return name === undefined ? null : (msOf(config, name) ?? null)
}

/** Watermark steps are marks of punctuated sources; else events move it, by the bound or as stream time. */
export function clockingOf({ config }: Vector, steps: readonly Step[], dialect: Dialect): Clocking {
  const punctuated: Clocking = { strategy: { kind: 'punctuated' }, batchBound: null }
  if (flat(steps).some((step) => step.kind === 'watermark')) return punctuated
  const bound = boundOf(config) ?? (dialect.streamTime ? 0 : undefined)
  if (bound === undefined) return punctuated
  // The watermark stands still within a batch: the producer of such batches is one that marks their ends.
  if (dialect.byBatch && steps.some((step) => step.kind === 'batch'))
    return { ...punctuated, batchBound: bound }
  return { strategy: { kind: 'bounded', bound }, batchBound: null }
}

/** Strategy of a vector that is about how a watermark comes about. Throws NotOurs for one that we have not. */
export function generatorOf({ config, dialect }: Vector, steps: readonly Step[]): Strategy {
  const name = String(config.strategy ?? '').toLowerCase()
  if (name.includes('punctuated')) return { kind: 'punctuated' }
  if (/ascending|monoton/.test(name)) return { kind: 'ascending' }
  const bound = boundOf(config)
  if (bound !== undefined) return { kind: 'bounded', bound }
  if (dialectOf(dialect).streamTime) return { kind: 'ascending' }
  if (/nowatermark|none/.test(name)) return { kind: 'punctuated' }
  if (flat(steps).some((step) => step.kind === 'watermark')) return { kind: 'punctuated' }
  throw new NotOurs(`the strategy ${JSON.stringify(config.strategy)} is not one of ours`)
}

import { readInstant } from './instants'
import { NotOurs } from './notOurs'
import type { Loose, Vector } from './schema'

export interface Element {
  /** Place among all elements of the vector, from 0. */
  readonly ordinal: number
  readonly key: string | null
  readonly ts: number
  readonly value: unknown
  readonly partition: string | null
  readonly gap: number | null
}

export type Step =
  | { readonly kind: 'element'; readonly element: Element }
  | { readonly kind: 'batch'; readonly steps: readonly Step[] }
  | { readonly kind: 'watermark'; readonly to: number; readonly partition: string | null }
  | { readonly kind: 'idle' | 'active' | 'register' | 'unregister'; readonly partition: string | null }
  | { readonly kind: 'processingTime'; readonly to: number }
  | { readonly kind: 'periodicEmit' | 'snapshotRestore' | 'endOfStream' }

/** The steps of a vector. Throws NotOurs for one that the schema does not name. */
export function readSteps(vector: Vector): readonly Step[] {
  let elements = 0
  const read = (raw: Loose): Step => {
    if (Array.isArray(raw.batch)) return { kind: 'batch', steps: raw.batch.map(read) }
    if (raw.element !== undefined) {
      return { kind: 'element', element: readElement(raw.element as Loose, raw, elements++) }
    }
    if (raw.ts !== undefined) return { kind: 'element', element: readElement(raw, raw, elements++) }
    return readOther(raw)
  }
  return vector.steps.map(read)
}

function readElement(fields: Loose, around: Loose, ordinal: number): Element {
  const { key, ts, value, gapMs } = fields
  const at = readInstant(ts ?? 0, 'ts')
  if (!Number.isFinite(at)) throw new NotOurs(`an event time of ${String(ts)}: event times are finite`)
  return {
    ordinal,
    key: key === undefined || key === null ? null : textOf(key),
    ts: at,
    value: value ?? 1,
    partition: partitionOf(fields.partition ?? around.partition),
    gap: gapMs === undefined || gapMs === null ? null : readInstant(gapMs, 'gapMs'),
  }
}

function readOther(raw: Loose): Step {
  if (raw.watermark !== undefined) {
    return {
      kind: 'watermark',
      to: readInstant(raw.watermark, 'watermark'),
      partition: partitionOf(raw.partition),
    }
  }
  for (const kind of ['idle', 'active', 'register', 'unregister'] as const) {
    if (raw[kind] !== undefined) return { kind, partition: partitionOf(raw[kind]) }
  }
  if (raw.processingTime !== undefined) {
    return { kind: 'processingTime', to: readInstant(raw.processingTime, 'processingTime') }
  }
  for (const kind of ['periodicEmit', 'snapshotRestore', 'endOfStream'] as const) {
    if (raw[kind] !== undefined) return { kind }
  }
  throw new NotOurs(`a step that the schema does not name: ${JSON.stringify(raw)}`)
}

/** `true` stands for the only one there is. */
function partitionOf(value: unknown): string | null {
  return value === undefined || value === null || value === true ? null : textOf(value)
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Steps with batches opened up. */
export function flat(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => (step.kind === 'batch' ? flat(step.steps) : [step]))
}

export function elementsOf(steps: readonly Step[]): readonly Element[] {
  return flat(steps).flatMap((step) => (step.kind === 'element' ? [step.element] : []))
}

/** Partitions that any step names, in the order in which they are first named. */
export function partitionsOf(steps: readonly Step[]): readonly string[] {
  const named = flat(steps).flatMap((step) => {
    const partition = step.kind === 'element' ? step.element.partition : 'partition' in step && step.partition
    return typeof partition === 'string' ? [partition] : []
  })
  return [...new Set(named)]
}

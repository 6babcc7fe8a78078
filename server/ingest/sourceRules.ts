import type { EventField } from '../contracts/eventFields'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { SourceSpec } from '../contracts/sourceSpec'

/** What one source's events are checked against, made ready once per spec rather than per event. Times in ms. */
export interface SourceRules {
  readonly source: string
  /** Our field → the producer's. */
  readonly fields: Readonly<Record<EventField, string>>
  /** Dimensions that the producer sends as fields of the event itself, by a map of `dimensions.region` → its field. */
  readonly flat: readonly (readonly [dimension: string, field: string])[]
  readonly known: ReadonlySet<string>
  readonly strict: boolean
  readonly unit: SourceSpec['unit']
  readonly maxFutureSkew: number
  readonly maxAge: number | null
  /** The strategy in force takes marks (semantics.md §2). */
  readonly punctuated: boolean
}

const FLAT_PREFIX = 'dimensions.'

const compiled = new WeakMap<PipelineSpec, Map<string, SourceRules>>()

/**
 * The rules of `source` under `spec`. Declared sources are kept with the spec object (a spec is never changed in
 * place: a change is a new version); undeclared names come from the network and are not, so they cannot pile up.
 */
export function rulesFor(spec: PipelineSpec, source: string): SourceRules {
  let rules = compiled.get(spec)
  if (!rules) {
    rules = new Map(spec.sources.map((s) => [s.name, compile(spec, s.name, s)]))
    compiled.set(spec, rules)
  }
  return rules.get(source) ?? compile(spec, source, undefined)
}

function compile(spec: PipelineSpec, source: string, own: SourceSpec | undefined): SourceRules {
  const map = new Map(Object.entries(own?.map ?? {}))
  const named = (field: EventField) => map.get(field) ?? field
  const fields = {
    eventId: named('eventId'),
    orderId: named('orderId'),
    type: named('type'),
    amount: named('amount'),
    currency: named('currency'),
    eventTime: named('eventTime'),
    userId: named('userId'),
    dimensions: named('dimensions'),
  }
  const flat = [...map]
    .filter(([ours]) => ours.startsWith(FLAT_PREFIX))
    .map(([ours, field]) => [ours.slice(FLAT_PREFIX.length), field] as const)
  return {
    source,
    fields,
    flat,
    known: new Set([...Object.values(fields), ...flat.map(([, field]) => field)]),
    strict: own?.strict ?? false,
    unit: own?.unit ?? 'ms',
    maxFutureSkew: spec.maxFutureSkew,
    maxAge: own?.maxAge === undefined ? spec.maxAge : own.maxAge,
    punctuated: (own?.strategy ?? spec.strategy).kind === 'punctuated',
  }
}

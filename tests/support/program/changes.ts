import { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import type { Item } from './items'

/** What an operator changes in the definition: numbers, so that it can be generated before the definition is known. */
export interface SpecChange {
  readonly what: (typeof CHANGES)[number]
  /** A duration in ms, a view's or a source's place, whatever the change needs. */
  readonly n: number
  readonly ms: number
  readonly strategy: PipelineSpec['strategy']
}

export const CHANGES = [
  ...(['strategy', 'idleTimeout', 'allowedLateness', 'maxFutureSkew', 'maxAge', 'coalesce'] as const),
  ...(['maxKeys', 'closeByInactivity', 'maxDrift', 'addSource', 'removeSource', 'alterSource'] as const),
  // These begin a back-fill, or are refused; neither changes what the views say.
  ...(['size', 'offset', 'zone', 'groupBy', 'time', 'addView', 'removeView'] as const),
]

/** The item as it is folded: a change becomes a `changeSpec` of the definition in force. */
export function writtenOut(item: Item, inForce: PipelineSpec): Item {
  if (item.kind !== 'change') return item
  const changed = { ...inForce, ...changesOf(inForce, item.change), version: inForce.version + 1 }
  const valid = PipelineSpec.safeParse(changed).success
  const spec = valid ? changed : { ...inForce, views: otherViews(inForce, 'groupBy', item.change.n) }
  return { kind: 'command', at: item.at, command: { kind: 'changeSpec', spec } }
}

function changesOf(spec: PipelineSpec, { what, n, ms, strategy }: SpecChange): Partial<PipelineSpec> {
  switch (what) {
    case 'strategy':
      return { strategy }
    case 'idleTimeout':
    case 'maxAge':
    case 'closeByInactivity':
    case 'maxDrift':
      return { [what]: n % 4 === 0 ? null : ms + 1 }
    case 'allowedLateness':
    case 'maxFutureSkew':
      return { [what]: ms }
    case 'coalesce':
      return { coalesce: n % 2 === 0 ? 'record' : 'event' }
    case 'maxKeys':
      return {
        views: spec.views.map((v, i) => (i === n % spec.views.length ? { ...v, maxKeys: 1 + (n % 4) } : v)),
      }
    case 'addSource':
    case 'removeSource':
    case 'alterSource':
      return { sources: otherSources(spec, { what, n, ms, strategy }) }
    default:
      return { views: otherViews(spec, what, n) }
  }
}

function otherSources(spec: PipelineSpec, { what, n, ms, strategy }: SpecChange): PipelineSpec['sources'] {
  const place = n % Math.max(1, spec.sources.length)
  if (what === 'removeSource') return spec.sources.filter((_, i) => i !== place)
  if (what === 'alterSource') {
    const altered = { idleTimeout: ms + 1, ...(n % 2 === 0 && { strategy }), pulled: n % 3 === 0 }
    return spec.sources.map((s, i) => (i === place ? { ...s, ...altered } : s))
  }
  const name = ['a', 'b', 'c', 'e1', 'n1'][n % 5] ?? 'a'
  if (spec.sources.some((s) => s.name === name)) return spec.sources
  const plain = { test: n % 7 === 0, pulled: n % 2 === 0, strict: false, unit: 'ms', map: {} } as const
  return [...spec.sources, { name, ...plain, ...(n % 3 === 0 && { strategy }) }]
}

/** Changes that need a back-fill. Another `groupBy` always makes a valid definition. */
function otherViews(spec: PipelineSpec, what: SpecChange['what'], n: number): PipelineSpec['views'] {
  const { views } = spec
  const place = n % views.length
  const first = views[0]
  if (what === 'addView' && first) return [...views, { ...first, id: 'zz' }]
  if (what === 'removeView') return views.filter((_, i) => i !== place)
  return views.map((view, i) => {
    const { window } = view
    if (i !== place) return view
    if (what === 'time') return { ...view, time: view.time === 'event' ? 'journal' : 'event' }
    if (what === 'size' && 'size' in window) return { ...view, window: { ...window, size: window.size * 2 } }
    if (what === 'offset' && 'offset' in window)
      return { ...view, window: { ...window, offset: window.offset + 1 } }
    if (what === 'zone' && 'zone' in window) return { ...view, window: { ...window, zone: 'Europe/Paris' } }
    return { ...view, groupBy: [...view.groupBy, 'more'] }
  })
}

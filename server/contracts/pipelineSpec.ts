import { z } from 'zod'
import { Duration, NonNegativeDuration, PositiveDuration } from './duration'
import { EVENT_FIELDS } from './eventFields'
import { LIMITS, SOURCE_NAME } from './limits'

/** How a source's watermark follows its events (semantics.md §2). A closed union: the engine tests every member. */
export const Strategy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bounded'), bound: NonNegativeDuration }),
])
export type Strategy = z.infer<typeof Strategy>

const zone = z.string().refine(isZone, { message: 'not an IANA time zone, such as Asia/Shanghai' })

/** How a view cuts time (semantics.md §4). */
export const WindowSpec = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('tumbling'), size: PositiveDuration, offset: Duration.default(0) })
    .refine((w) => Math.abs(w.offset) < w.size, {
      path: ['offset'],
      message: '|offset| must be less than size',
    }),
  z.object({ kind: z.literal('calendar'), unit: z.literal('day'), zone }),
])
export type WindowSpec = z.infer<typeof WindowSpec>

const id = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'small letters, digits and _, starting with a letter')
const dimensionName = z.string().min(1).max(LIMITS.dimensionNameChars)

export const ViewSpec = z.object({
  id,
  version: z.number().int().positive().default(1),
  window: WindowSpec,
  /** Dimensions of the key. Currency always is one and is not named here. */
  groupBy: z.array(dimensionName).max(LIMITS.dimensions).default([]),
  /** Keys a window holds before the rest falls into `__other__` (semantics.md §8). */
  maxKeys: z.number().int().min(1).max(1_000_000).default(10_000),
})
export type ViewSpec = z.infer<typeof ViewSpec>

export const TIME_UNITS = ['ms', 's', 'us', 'ns'] as const

const MAPPABLE = new RegExp(`^(${EVENT_FIELDS.join('|')}|dimensions\\..{1,${LIMITS.dimensionNameChars}})$`)

/** What is particular to one source. What it leaves out comes from the pipeline. */
export const SourceSpec = z.object({
  name: z.string().regex(SOURCE_NAME, 'letters, digits, . _ : -, at most 64'),
  strategy: Strategy.optional(),
  /** null switches idleness off for this source. */
  idleTimeout: PositiveDuration.nullable().optional(),
  maxAge: PositiveDuration.nullable().optional(),
  /** Refuse events that carry a field we do not know, instead of ignoring the field. */
  strict: z.boolean().default(false),
  /** Unit of a numeric eventTime. */
  unit: z.enum(TIME_UNITS).default('ms'),
  /** Our field → the producer's field, so that an existing producer need not change. */
  map: z
    .record(
      z.string().regex(MAPPABLE, `our field: ${EVENT_FIELDS.join(', ')}, or dimensions.NAME`),
      z.string().min(1).max(LIMITS.idChars),
    )
    .default({}),
})
export type SourceSpec = z.infer<typeof SourceSpec>

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The pipeline as data (design.md §3). Defaults are those of semantics.md §8. */
export const PipelineSpec = z
  .object({
    version: z.number().int().positive().default(1),
    /** Business zone: what "today" means on the screens. */
    zone: zone.default('UTC'),
    strategy: Strategy.default({ kind: 'bounded', bound: 5_000 }),
    idleTimeout: PositiveDuration.nullable().default(60_000),
    allowedLateness: NonNegativeDuration.default(600_000),
    maxFutureSkew: NonNegativeDuration.default(300_000),
    maxAge: PositiveDuration.nullable().default(null),
    /** `record`: corrections of one window within a journal record make one revision. `event`: each makes its own. */
    coalesce: z.enum(['record', 'event']).default('record'),
    sources: z.array(SourceSpec).max(1_000).default([]),
    views: z.array(ViewSpec).min(1).max(16),
  })
  .superRefine((spec, ctx) => {
    duplicates(spec.views.map((v) => v.id)).forEach((i) => {
      ctx.addIssue({ code: 'custom', path: ['views', i, 'id'], message: 'another view has this id' })
    })
    duplicates(spec.sources.map((s) => s.name)).forEach((i) => {
      ctx.addIssue({ code: 'custom', path: ['sources', i, 'name'], message: 'another source has this name' })
    })
    // Refused by `min(1)`; these checks run all the same.
    if (spec.views.length === 0) return
    const base = baseView(spec.views)
    spec.views.forEach((view, i) => {
      const problem = notUnionOfBase(view.window, base.window)
      if (problem) ctx.addIssue({ code: 'custom', path: ['views', i, 'window'], message: problem })
    })
  })
export type PipelineSpec = z.infer<typeof PipelineSpec>

function duplicates(names: string[]): number[] {
  return names.flatMap((name, i) => (names.indexOf(name) < i ? [i] : []))
}

/** The view whose windows decide what is late: the finest tumbling view, or the only one (semantics.md §1). */
export function baseView(views: readonly ViewSpec[]): ViewSpec {
  let base: ViewSpec | undefined
  for (const view of views) {
    if (view.window.kind !== 'tumbling') continue
    if (base?.window.kind !== 'tumbling' || view.window.size < base.window.size) base = view
  }
  const chosen = base ?? views[0]
  if (!chosen) throw new RangeError('a pipeline has at least one view')
  return chosen
}

/** The view that the dashboard counts in: the finest tumbling one without dimensions, else the base view. */
export function totalView(views: readonly ViewSpec[]): ViewSpec {
  const totals = views.filter((view) => view.groupBy.length === 0 && view.window.kind === 'tumbling')
  return baseView(totals.length > 0 ? totals : views)
}

/** Days of every zone on earth start at a multiple of this, so a base that divides it divides every day. */
const ZONE_GRAIN = 15 * 60_000

function notUnionOfBase(window: WindowSpec, base: WindowSpec): string | null {
  if (base.kind !== 'tumbling') {
    const same = window.kind === 'calendar' && window.zone === base.zone && window.unit === base.unit
    return same ? null : 'without a tumbling view all views need the same window: add one, such as 1m'
  }
  if (window.kind === 'calendar') {
    return ZONE_GRAIN % base.size === 0 && base.offset === 0
      ? null
      : 'a calendar view needs a base view whose size divides 15 minutes, offset 0'
  }
  if (window.size % base.size === 0 && (window.offset - base.offset) % base.size === 0) return null
  return `must be a whole number of the base view's windows (${base.size} ms, offset ${base.offset} ms)`
}

/** The views that a new pipeline starts with (design.md §3). */
export function defaultViews(businessZone: string): z.input<typeof ViewSpec>[] {
  const day = { kind: 'calendar', unit: 'day', zone: businessZone } as const
  const byShop = ['region', 'channel']
  return [
    { id: 'gmv_1m', window: { kind: 'tumbling', size: '1m' }, groupBy: byShop },
    { id: 'gmv_1h', window: { kind: 'tumbling', size: '1h' }, groupBy: byShop },
    { id: 'gmv_day', window: day, groupBy: byShop },
    { id: 'gmv_total_1m', window: { kind: 'tumbling', size: '1m' } },
    { id: 'gmv_total_day', window: day },
  ]
}

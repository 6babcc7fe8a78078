import fc from 'fast-check'
import { type SpecInput, tumbling } from '../engine'
import type { Item, Program } from './items'

// A failure is reported within a minute: shrinking a program of hundreds of steps once took eight.
fc.configureGlobal({ interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true })

const SOURCES = ['a', 'b', 'c', 'e1']
const gap = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: 4, max: 15 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20, max: 120 }) },
)
const delay = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -2, max: 6 }) },
  { weight: 3, arbitrary: fc.integer({ min: 5, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: -20, max: 150 }) },
)
const rawStep = fc.record({
  what: fc.oneof(
    { weight: 14, arbitrary: fc.constant('event' as const) },
    { weight: 2, arbitrary: fc.constant('again' as const) },
    { weight: 1, arbitrary: fc.constantFrom('reject' as const, 'tick' as const, 'resumed' as const) },
  ),
  gap,
  delay,
  jitter: fc.integer({ min: -1, max: 1 }),
  source: fc.constantFrom(...SOURCES, 'a', 'b'),
  id: fc.nat(400),
  order: fc.nat(6),
  user: fc.option(fc.nat(4), { nil: undefined }),
  refund: fc.nat(4).map((n) => n === 0),
  amount: fc.oneof(
    fc.constantFrom('0', '0.0001', '19.99', '999999999999.9999', '90071992.5474'),
    fc.nat(99_999).map((n) => (n / 100).toFixed(2)),
  ),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  region: fc.constantFrom('r0', 'r1', 'r2', '__other__', undefined),
  ch: fc.constantFrom('c0', 'c1', undefined),
  cut: fc.boolean(),
})
type RawStep = typeof rawStep extends fc.Arbitrary<infer T> ? T : never

function itemsOf(steps: readonly RawStep[], start: number, scale: number): Item[] {
  let at = start
  const events: Extract<Item, { kind: 'event' }>[] = []
  return steps.map((s, i): Item => {
    const before = at
    at += s.gap * scale
    const again = events[s.id % Math.max(1, events.length)]
    if (s.what === 'reject') return { kind: 'reject', at, source: s.source }
    if (s.what === 'tick') return { kind: 'tick', at }
    if (s.what === 'resumed') return { kind: 'resumed', at, pausedAt: before + Math.floor((at - before) / 2) }
    const amended = s.jitter > 0 ? { amount: s.amount } : {}
    if (s.what === 'again' && again) return { ...again, ...amended, at }
    const dims = { ...(s.region && { region: s.region }), ...(s.ch && { ch: s.ch }) }
    const { source, refund, amount, currency } = s
    const ts = at - s.delay * scale + s.jitter * Math.sign(scale - 1)
    const who = { order: `o${s.order}`, user: s.user === undefined ? undefined : `u${s.user}` }
    const id = s.id < 40 ? `e${s.id}` : `n${i}`
    const event = { kind: 'event', at, ts, source, id, ...who, refund, amount, currency, dims } as const
    events.push(event)
    return event
  })
}

/** 2026-10-24T12:00Z, ten hours before Berlin's day of 25 hours. */
export const AUTUMN = 1_792_843_200_000
const units = (least: number, most: number) => fc.integer({ min: least, max: most })

/** Random programs: in small integers, where one off shows, or in quarters of an hour across a 25-hour day. */
export function program(most = 200): fc.Arbitrary<Program> {
  return fc
    .record({
      calendar: fc.boolean(),
      offset: units(-9, 9),
      bound: units(0, 8),
      lateness: fc.oneof(fc.constant(0), units(0, 30), units(20, 150)),
      idle: fc.option(units(1, 40)),
      own: fc.option(fc.record({ idle: fc.option(units(1, 30)), bound: units(0, 20) })),
      declared: fc.subarray(SOURCES),
      maxKeys: units(1, 4),
      steps: fc.array(rawStep, { maxLength: most, size: 'max' }),
    })
    .map((p) => {
      const scale = p.calendar ? 90_000 : 1
      const start = p.calendar ? AUTUMN : 0
      const offset = p.calendar ? 0 : p.offset
      const bound = (n: number) => ({ kind: 'bounded', bound: n * scale }) as const
      const day = { kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' } as const
      const spec: SpecInput = {
        strategy: bound(p.bound),
        allowedLateness: p.lateness * scale,
        idleTimeout: p.idle === null ? null : p.idle * scale,
        sources: p.declared.map((name, i) =>
          p.own && i === 0
            ? { name, strategy: bound(p.own.bound), idleTimeout: p.own.idle && p.own.idle * scale }
            : { name },
        ),
        views: [
          { id: 'h', window: tumbling(30 * scale, offset), groupBy: ['region', 'ch'], maxKeys: p.maxKeys },
          { id: 'm', window: tumbling(10 * scale, offset), groupBy: ['region'] },
          { id: 't', window: tumbling(10 * scale, offset) },
          { id: 'd', window: p.calendar ? day : tumbling(60, offset), groupBy: ['region'] },
        ],
      }
      return { spec, items: itemsOf(p.steps, start, scale), cuts: p.steps.map((s) => s.cut), start }
    })
}

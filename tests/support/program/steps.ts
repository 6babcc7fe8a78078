import fc from 'fast-check'
import { CHANGES } from './changes'
import { SOURCES } from './settings'
import { rawStrategy } from './strategies'

const gap = fc.oneof(
  { weight: 50, arbitrary: fc.constant(0) },
  { weight: 50, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 16, arbitrary: fc.integer({ min: 4, max: 15 }) },
  { weight: 3, arbitrary: fc.integer({ min: 20, max: 120 }) },
)
const delay = fc.oneof(
  { weight: 60, arbitrary: fc.integer({ min: -2, max: 6 }) },
  { weight: 25, arbitrary: fc.integer({ min: 5, max: 40 }) },
  { weight: 6, arbitrary: fc.integer({ min: -20, max: 150 }) },
)
const source = fc.constantFrom('a', 'a', 'a', 'b', 'b', ...SOURCES)
const jitter = fc.integer({ min: -1, max: 1 })
const cut = fc.nat(99)
const time = { gap, cut }

const event = fc.record({
  what: fc.constant('event' as const),
  ...time,
  ...{ source, delay, jitter },
  id: fc.nat(400),
  order: fc.nat(6),
  user: fc.option(fc.nat(4), { nil: undefined }),
  refund: fc.nat(4).map((n) => n === 0),
  amount: fc.oneof(
    fc.constantFrom('0', '0.0001', '19.99', '999999999999.9999', '90071992.5474'),
    fc.nat(99_999).map((n) => (n / 100).toFixed(2)),
  ),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
  region: fc.constantFrom('r0', 'r1', 'r2', 'r3', '__other__', '\\__other__', undefined),
  ch: fc.constantFrom('c0', 'c1', undefined),
  marked: fc.nat(3).map((n) => n === 0),
})
const again = fc.record({
  what: fc.constant('again' as const),
  ...time,
  pick: fc.nat(1_000_000),
  amended: fc.constantFrom('no', 'no', 'amount', 'ts', 'user'),
})
const mark = fc.record({ what: fc.constant('mark' as const), ...time, ...{ source, delay, jitter } })
const reject = fc.record({ what: fc.constant('reject' as const), ...time, source })
const tick = fc.record({ what: fc.constant('tick' as const), ...time })
/** A time in which the server takes nothing: with a `paused` record, or without (it was killed). */
const pause = fc.record({
  what: fc.constant('pause' as const),
  ...time,
  told: fc.boolean(),
  ticks: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3 }),
  back: fc.integer({ min: 0, max: 100 }),
})
export const COMMANDS = [
  ...(['setStrategy', 'setIdleTimeout', 'declareSource', 'declareSource', 'retireSource'] as const),
  ...(['forceWatermark', 'forceWatermark', 'markIdle', 'markIdle', 'markActive'] as const),
]
const command = fc.record({
  what: fc.constant('command' as const),
  ...time,
  kind: fc.constantFrom(...COMMANDS),
  source: fc.constantFrom(...SOURCES, 'nobody'),
  strategy: rawStrategy,
  delay: fc.integer({ min: -3, max: 60 }),
  n: fc.nat(1_000),
})
const change = fc.record({
  what: fc.constant('change' as const),
  ...time,
  change: fc.constantFrom(...CHANGES),
  n: fc.nat(1_000),
  length: fc.integer({ min: 0, max: 90 }),
  strategy: rawStrategy,
})

export const step = fc.oneof(
  { weight: 260, arbitrary: event },
  { weight: 32, arbitrary: again },
  { weight: 14, arbitrary: mark },
  { weight: 8, arbitrary: reject },
  { weight: 12, arbitrary: tick },
  { weight: 4, arbitrary: pause },
  { weight: 5, arbitrary: command },
  { weight: 3, arbitrary: change },
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
export type StepOf<K extends Step['what']> = Extract<Step, { what: K }>

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { ViewSpec } from '../../../server/contracts/viewSpec'
import { type Ev, Run, type SpecInput, tumbling } from '../../support/engine'

type Views = z.input<typeof ViewSpec>[]

const BOUND = 20
/** All kinds over minutes, and each kind that can alone decide what is late. */
const views = fc.constantFrom<Views>(
  [
    { id: 'm', window: tumbling(10, 3), groupBy: ['k'] },
    { id: 'h', window: tumbling(30, 3) },
    { id: 's', window: { kind: 'sliding', size: 25, slide: 7 }, groupBy: ['userId'] },
    { id: 'c', window: { kind: 'cumulate', step: 20, within: tumbling(60, 3) }, groupBy: ['k'] },
    { id: 'u', window: { kind: 'session', gap: 6 }, groupBy: ['k'] },
  ],
  [{ id: 's', window: { kind: 'sliding', size: 25, slide: 7 }, groupBy: ['k'] }],
  [{ id: 'c', window: { kind: 'cumulate', step: 5, within: tumbling(20) }, groupBy: ['k'] }],
  [{ id: 'u', window: { kind: 'session', gap: 4 }, groupBy: ['k'] }],
)
const event = fc.record({
  ts: fc.integer({ min: 0, max: 200 }),
  delays: fc.tuple(fc.nat(BOUND), fc.nat(BOUND)),
  order: fc.nat(8).map((n) => `o${n}`),
  user: fc.option(
    fc.nat(3).map((n) => `u${n}`),
    { nil: undefined },
  ),
  refund: fc.nat(4).map((n) => n === 0),
  amount: fc.constantFrom('0.0001', '19.99', '999999999999.9999'),
  dims: fc.constantFrom({ k: 'x' }, { k: 'y' }),
  source: fc.constantFrom('a', 'b'),
})
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never
const events = fc.array(event, { minLength: 1, maxLength: 60, size: 'max' })

/** Folds events in the order in which they come when each is `delay` late. */
function runIn(all: readonly Event[], which: 0 | 1, over: SpecInput): Run {
  const run = new Run(over)
  const inOrder = all
    .map((e, i) => ({ ...e, id: `e${i}` }))
    .sort((a, b) => a.ts + a.delays[which] - b.ts - b.delays[which])
  run.oneByOne(...inOrder.map(({ delays: _, ...e }): Ev => e))
  run.end()
  return run
}

/** Windows and their values, of all views; which session has which number depends on who came first. */
function values(run: Run): string[] {
  const rows = [...run.rows.values()].filter((row) => row.status !== 'superseded')
  return rows
    .map(({ view, start, end, key, gross, refunds, net, orders, buyers, events, status }) =>
      JSON.stringify([view, start, end, key, gross, refunds, net, orders, buyers, events, status]),
    )
    .sort()
}

describe('events that come in another order', () => {
  test('inside of what B allows make the same firings, and nothing is late or corrected', () => {
    fc.assert(
      fc.property(events, views, (all, list) => {
        const over = { strategy: { kind: 'bounded', bound: BOUND } as const, allowedLateness: 0, views: list }
        const [one, two] = [runIn(all, 0, over), runIn(all, 1, over)]
        for (const run of [one, two]) {
          expect(run.state.counts).toMatchObject({ inTime: all.length, corrected: 0, late: 0 })
          expect(run.revisions.map((r) => [r.kind, r.revision])).toEqual(
            run.revisions.map(() => ['on-time', 1]),
          )
          expect(run.missed).toEqual([])
        }
        expect(values(two)).toEqual(values(one))
      }),
      { numRuns: 200 },
    )
  })

  test('inside of what L allows make the same last values', () => {
    fc.assert(
      fc.property(events, views, fc.nat(BOUND), (all, list, bound) => {
        const over = { strategy: { kind: 'bounded', bound } as const, allowedLateness: 400, views: list }
        const [one, two] = [runIn(all, 0, over), runIn(all, 1, over)]
        for (const run of [one, two]) expect([run.state.counts.late, run.missed]).toEqual([0, []])
        expect(values(two)).toEqual(values(one))
      }),
      { numRuns: 200 },
    )
  })

  test('entirely, too: latest first makes what earliest first makes', () => {
    fc.assert(
      fc.property(events, views, (all, list) => {
        const over = { allowedLateness: 400, views: list }
        const reversed = all.map((e) => ({ ...e, delays: [0, 400 - 2 * e.ts] as [number, number] }))
        expect(values(runIn(reversed, 1, over))).toEqual(values(runIn(reversed, 0, over)))
      }),
      { numRuns: 100 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventPlace } from '../../../../server/contracts/lateStore'
import { type Ev, Run, type SpecInput } from '../../../support/engine'
import { placesOf } from '../../../support/lateStore/places'
import { plainRows, shownRows, shownSums } from '../../../support/lateStore/plainSums'

const M = 60_000
/** Half an hour before a midnight of the calendar view, so that a day's end is among the events. */
const START = Date.UTC(2026, 2, 29, 15, 30)
const spec: SpecInput = {
  allowedLateness: M,
  coalesce: 'record',
  views: [
    { id: 'm', window: { kind: 'tumbling', size: M }, groupBy: ['shop'] },
    { id: 'total', window: { kind: 'tumbling', size: M } },
    { id: 'five', window: { kind: 'tumbling', size: 5 * M }, groupBy: ['userId'] },
    { id: 'folded', window: { kind: 'tumbling', size: 5 * M }, groupBy: ['shop', 'userId'], maxKeys: 2 },
    { id: 'day', window: { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' } },
    { id: 'slide', window: { kind: 'sliding', size: 7 * M, slide: 3 * M }, groupBy: ['shop'] },
    { id: 'cumulate', window: { kind: 'cumulate', step: 5 * M, within: { kind: 'tumbling', size: 20 * M } } },
    { id: 'arrivals', window: { kind: 'tumbling', size: M }, time: 'journal' },
  ],
}

const event = fc.record({
  kind: fc.constant('event' as const),
  /** Journal time goes on by so much; the event happened so long before. */
  after: fc.integer({ min: 0, max: 40_000 }),
  delay: fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 12 * M })),
  id: fc.integer({ min: 0, max: 60 }),
  order: fc.integer({ min: 0, max: 6 }),
  user: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  shop: fc.constantFrom('A', 'B', 'C', undefined),
  amount: fc.integer({ min: 0, max: 99_999 }),
  refund: fc.boolean(),
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
  joins: fc.boolean(),
})
const act = fc.record({
  kind: fc.constantFrom('reinject' as const, 'void' as const, 'restart' as const, 'writeOff' as const),
  picks: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 }),
})
const program = fc.array(fc.oneof({ weight: 5, arbitrary: event }, { weight: 1, arbitrary: act }), {
  minLength: 5,
  maxLength: 60,
})
type Act = { kind: 'reinject' | 'void' | 'restart' | 'writeOff'; picks: number[] }

/** Events of those that the engine was given that a command may well be about. */
async function give(run: Run, { kind, picks }: Act): Promise<void> {
  if (kind === 'restart') return run.restart()
  const all = placesOf(run).filter(({ counted }) => counted === (kind === 'void'))
  const events = picks.flatMap((pick): EventPlace[] => {
    const place = all[pick % Math.max(1, all.length)]
    return place
      ? [{ source: place.source, eventId: place.eventId, position: place.position, row: place.row }]
      : []
  })
  if (events.length > 0) await run.tell({ kind, events })
}

function identityHolds(run: Run): void {
  for (const c of [run.state.counts, ...run.state.countsBySource.values()]) {
    expect(c.received).toBe(c.inTime + c.corrected + c.late + c.duplicate + c.quarantined)
    for (const n of Object.values(c)) expect(n).toBeGreaterThanOrEqual(0)
    expect(c.overflow).toBeLessThanOrEqual(c.inTime + c.corrected)
  }
}

async function play(steps: typeof program extends fc.Arbitrary<infer T> ? T : never): Promise<Run> {
  const run = new Run(spec, START)
  let at = START
  let batch: Ev[] = []
  const flush = () => {
    if (batch.length > 0) run.events(...batch)
    batch = []
  }
  for (const step of steps) {
    if (step.kind !== 'event') {
      flush()
      await give(run, step)
      identityHolds(run)
      continue
    }
    at += step.after
    const { id, order, user, shop, amount, refund, currency, delay } = step
    batch.push({
      ...{ at, ts: at - delay, id: `e${id}`, order: `o${order}`, refund, currency, amount: `${amount}.25` },
      ...(user !== undefined && { user: `u${user}` }),
      ...(shop !== undefined && { dims: { shop } }),
    })
    if (!step.joins) flush()
  }
  flush()
  return run
}

/** Each revision of a row begins where the one before ended. */
function chained(run: Run): void {
  const last = new Map<string, { revision: number; after: unknown }>()
  for (const { view, windowId, currency, dims, revision, before, after } of run.revisions) {
    const name = `${view}@${windowId} ${JSON.stringify([currency, ...dims])}`
    const known = last.get(name)
    expect(revision).toBe((known?.revision ?? 0) + 1)
    expect(before).toEqual(known?.after ?? null)
    last.set(name, { revision, after })
  }
}

function sorted<T>(map: Map<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

describe('a pipeline whose events are re-injected and voided at any time', () => {
  test('shows in every view the sums of exactly the events that count', async () => {
    await fc.assert(
      fc.asyncProperty(program, fc.array(act, { maxLength: 4 }), async (steps, after) => {
        const run = await play(steps)
        run.end(run.state.at + M)
        for (const a of after) await give(run, a)
        const expected = plainRows(run)
        const folded = [...expected].filter(([name]) => name.startsWith('folded'))
        for (const [name] of folded) expected.delete(name)
        expect(sorted(shownRows(run))).toEqual(sorted(expected))
        expect(sorted(shownSums(run))).toEqual(
          sorted(new Map(folded.map(([name, { gross, events }]) => [name, { gross, events }]))),
        )
        identityHolds(run)
        chained(run)
      }),
      { numRuns: 150 },
    )
  })

  test('control: events that count are not always those that came in time', async () => {
    let [reinjected, voided] = [0, 0]
    await fc.assert(
      fc.asyncProperty(program, async (steps) => {
        const run = await play(steps)
        const kinds = run.revisions.filter(({ kind }) => kind === 'reconciled')
        reinjected += kinds.filter(({ deltaNet }) => !deltaNet.startsWith('-')).length
        voided += kinds.filter(({ deltaNet }) => deltaNet.startsWith('-')).length
      }),
      { numRuns: 50 },
    )
    expect(Math.min(reinjected, voided)).toBeGreaterThan(20)
  })
})

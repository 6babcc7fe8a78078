import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromDecimal, toUnits } from '../../../server/contracts/money'
import { take, touchedRows, watch } from '../../support/anyProgram'
import { type RowSeen, Run, type SpecInput, tumbling } from '../../support/engine'
import { every } from '../../support/everyProgram'
import { type Item, type Program, recordsOf } from '../../support/program'

const units = (amount: string) => toUnits(fromDecimal(amount))
const event = fc.record({
  gap: fc.constantFrom(0, 0, 1, 2, 5, 20),
  delay: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 25 }) }, fc.integer({ min: 0, max: 90 })),
  key: fc.constantFrom('x', 'x', 'y'),
  order: fc.nat(5),
  refund: fc.nat(4).map((n) => n === 0),
  amount: fc.constantFrom('1', '19.99', '999999999999.9999', '0.0001'),
  tick: fc.nat(9).map((n) => n === 0),
  cut: fc.boolean(),
})
const sessions = { id: 'u', window: { kind: 'session' as const, gap: 8 }, groupBy: ['k'] }

/** Programs of few keys whose events lie about a gap apart, so that sessions grow, touch and merge all the time. */
const merging = (lateness: fc.Arbitrary<number>): fc.Arbitrary<Program> =>
  fc
    .record({
      bound: fc.nat(20),
      lateness,
      inactivity: fc.constantFrom(null, null, 15),
      coalesce: fc.constantFrom('record' as const, 'event' as const),
      besideMinutes: fc.boolean(),
      steps: fc.array(event, { minLength: 1, maxLength: 80, size: 'max' }),
    })
    .map(({ bound, lateness, inactivity, coalesce, besideMinutes, steps }) => {
      const minutes: SpecInput['views'] = [{ id: 'm', window: tumbling(20), groupBy: ['k'] }]
      const spec: SpecInput = {
        ...{ strategy: { kind: 'bounded', bound }, allowedLateness: lateness, coalesce },
        ...{ closeByInactivity: inactivity, views: [...(besideMinutes ? minutes : []), sessions] },
      }
      let at = 100
      const items = steps.map((s, i): Item => {
        at += s.gap
        if (s.tick) return { kind: 'tick', at }
        const { refund, amount } = s
        const dims = { k: s.key }
        return {
          kind: 'event',
          at,
          ts: at - s.delay,
          source: 'a',
          id: `n${i}`,
          order: `o${s.order}`,
          refund,
          amount,
          dims,
        }
      })
      return { spec, items, cuts: steps.map((s) => s.cut), start: 0 }
    })
const anyLateness = merging(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })))
/** Nothing can be late. */
const patient = merging(fc.constant(1_000))

const isShown = (row: RowSeen) => row.view === 'u' && row.status !== 'superseded'
const shown = (run: Run) => [...run.rows.values()].filter(isShown)
const counted = (run: Run) => run.state.counts.inTime + run.state.counts.corrected
const eventsOf = (rows: readonly RowSeen[]) => rows.reduce((sum, row) => sum + row.events, 0)

describe('sessions on the screen, after every record', () => {
  test('count no order twice and lose none: the rows that are not superseded hold the counted events', () => {
    every(anyLateness, (p) => {
      watch(p, (run) => expect(eventsOf(shown(run))).toBe(counted(run)))
    })
  })

  test('never go down nor past the counted events where open totals wait: what is retracted is replaced at once', () => {
    every(anyLateness, (p, random) => {
      const screen = new Map<number, number>()
      const waiting = new Map<number, number>()
      let last = 0
      watch(p, (run, _record, outcome) => {
        for (const { row, published } of touchedRows(outcome)) {
          if (row.view !== 'u') continue
          waiting.delete(row.windowId)
          const events = row.status === 'superseded' ? 0 : row.values.events
          ;(published ? screen : waiting).set(row.windowId, events)
        }
        // Once in a while the totals of open windows are written, all of them.
        if (random() < 0.3) for (const [id, events] of waiting) screen.set(id, events)
        const total = [...screen.values()].reduce((sum, n) => sum + n, 0)
        expect(total).toBeLessThanOrEqual(counted(run))
        expect(total).toBeGreaterThanOrEqual(last)
        last = total
      })
    })
  })

  test('superseded ones show nothing, and their published money was taken back to the last unit', () => {
    every(anyLateness, (p) => {
      const run = watch(p, () => {})
      const published = new Map<number, bigint>()
      for (const r of run.revisions) {
        if (r.view !== 'u') continue
        published.set(r.windowId, (published.get(r.windowId) ?? 0n) + units(r.deltaNet))
      }
      for (const row of run.rows.values()) {
        if (row.view !== 'u') continue
        if (row.status === 'superseded') expect([row.events, row.net, row.orders]).toEqual([0, '0.0000', 0])
        if (row.status !== 'open') expect(published.get(row.windowId) ?? 0n).toBe(units(row.net))
      }
    })
  })
})

describe('live sessions of a key', () => {
  test('never overlap nor touch', () => {
    every(anyLateness, (p) => {
      watch(p, (run) => {
        const view = run.state.pipeline?.views.find((v) => v.spec.id === 'u')
        const live = [...(view?.windows() ?? [])]
        for (const a of live) {
          for (const b of live) {
            if (a === b || a.keyOf(0).text !== b.keyOf(0).text) continue
            expect(a.end < b.start || b.end < a.start).toBe(true)
          }
        }
      })
    })
  })

  test('are what the events of the key make by themselves, where none is late: runs of no more than a gap', () => {
    every(patient, (p) => {
      const run = watch(p, () => {})
      run.end()
      const made = shown(run).map(
        (row) => `${row.key} ${row.start} ${row.end} ${row.events} ${row.net} ${row.orders}`,
      )
      expect(made.sort()).toEqual(byHand(p).sort())
      expect(run.state.counts.late).toBe(0)
    })
  })
})

/** Sessions by sorting: a new one begins where more than a gap lies between two events of a key. */
function byHand({ items }: Program): string[] {
  const said: string[] = []
  for (const key of ['x', 'y']) {
    const events = items.filter((item) => item.kind === 'event').filter((e) => e.dims?.k === key)
    events.sort((a, b) => a.ts - b.ts)
    let open: typeof events = []
    events.forEach((e, i) => {
      open.push(e)
      const next = events[i + 1]
      if (next && next.ts - e.ts <= 8) return
      said.push(`["USD","${key}"] ${open[0]?.ts} ${e.ts + 8} ${open.length} ${sumsOf(open)}`)
      open = []
    })
  }
  return said
}

function sumsOf(events: readonly { amount: string; refund?: boolean; order: string }[]): string {
  const net = events.reduce((sum, e) => sum + (e.refund ? -units(e.amount) : units(e.amount)), 0n)
  const orders = new Set(events.filter((e) => !e.refund).map((e) => e.order)).size
  const digits = (net < 0n ? -net : net).toString().padStart(5, '0')
  return `${net < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)} ${orders}`
}

describe('an event of a session view', () => {
  test('makes a session of its own or joins one: at most one row takes it, and others only vanish', () => {
    every(anyLateness, (p) => {
      const run = new Run(p.spec, p.start)
      const one = recordsOf(
        p.items,
        p.items.map(() => true),
      )
      for (const record of one) {
        const before = new Map(shown(run).map((row) => [row.windowId, row.events]))
        const events = counted(run)
        take(run, record)
        const grown = shown(run).filter((row) => row.events > (before.get(row.windowId) ?? 0))
        expect(grown.length).toBe(counted(run) - events)
      }
    })
  })
})

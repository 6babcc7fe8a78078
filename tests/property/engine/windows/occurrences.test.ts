import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Occurrences } from '../../../../server/engine/windows/occurrences'
import { slicingOf } from '../../../../server/engine/windows/slicing'
import { Run } from '../../../support/engine'

const move = fc.oneof(
  { weight: 40, arbitrary: fc.record({ id: fc.nat(60), salt: fc.nat(1), ahead: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ pass: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.constant({ restart: true }) },
)

/** What the table must say of a slice that is not passed; of what is before, only that which is not passed. */
function expectSeen(
  said: ReturnType<Occurrences['see']>,
  known: Set<number>,
  slice: number,
  passed: number,
): void {
  expect(said === null).toBe(known.has(slice))
  if (!said) return
  const before = Math.max(...[...known].filter((s) => s < slice && s >= passed))
  const after = Math.min(...[...known].filter((s) => s > slice))
  expect(said.after).toBe(Number.isFinite(after) ? after : null)
  if (Number.isFinite(before)) expect(said.before).toBe(before)
  else expect(said.before ?? Number.NEGATIVE_INFINITY).toBeLessThan(passed)
}

describe('the slices of ids', () => {
  test('are those of a Set by id, through growth, passing and restarts', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 600, size: 'max' }), fc.constantFrom(1, 64), (moves, step) => {
        let table = new Occurrences()
        const model = new Map<string, Set<number>>()
        let passed = 0
        for (const m of moves) {
          if ('pass' in m) {
            passed += m.pass
            table.pass(passed)
          } else if ('restart' in m) table = Occurrences.restore(structuredClone(table.save()))
          else {
            const known = model.get(`${m.salt} ${m.id}`) ?? new Set()
            model.set(`${m.salt} ${m.id}`, known)
            const slice = passed + m.ahead
            // Ids that begin in the same slot when `step` is 64.
            const words = Int32Array.of(m.id * step, m.id >> 3, 5, 0)
            expectSeen(table.see(m.salt, words, 0, slice), known, slice, passed)
            known.add(slice)
          }
        }
      }),
    )
  })
})

const WINDOWS = [
  { kind: 'sliding', size: 100, slide: 50, offset: 0 },
  { kind: 'sliding', size: 100, slide: 30, offset: 7 },
  { kind: 'cumulate', step: 30, within: { kind: 'tumbling', size: 120, offset: 0 } },
] as const

const event = fc.record({
  back: fc.oneof(fc.nat(30), fc.nat(250)),
  forth: fc.nat(40),
  order: fc.nat(3),
  user: fc.nat(3),
  restart: fc.constantFrom(true, ...Array<boolean>(15).fill(false)),
})

describe('the distinct orders and buyers of overlapping windows', () => {
  test('are those of a Set for each window, whatever the order of events, closing and restarts', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 80, size: 'max' }),
        fc.constantFrom(...WINDOWS),
        fc.constantFrom(0, 60, 150, 400),
        (events, window, allowedLateness) => {
          const run = new Run({ allowedLateness, views: [{ id: 's', window }] })
          const slicing = slicingOf(window)
          const model = new Map<number, { orders: Set<number>; buyers: Set<number> }>()
          let latest = 0
          for (const { back, forth, order, user, restart } of events) {
            const ts = latest - back
            latest += forth
            if (restart) run.restart()
            const said = run.events({ ts, order: `o${order}`, user: `u${user}` })
            // Closed windows are the first ones of an event.
            const closed = said.late.length > 0 ? Number.POSITIVE_INFINITY : (said.missed[0]?.windows ?? 0)
            for (const id of slicing.idsOf(slicing.sliceOf(ts)).slice(closed)) {
              const row = model.get(id) ?? { orders: new Set(), buyers: new Set() }
              row.orders.add(order)
              row.buyers.add(user)
              model.set(id, row)
            }
          }
          run.end()
          for (const [id, { orders, buyers }] of model) {
            expect(run.row('s', id)).toMatchObject({ orders: orders.size, buyers: buyers.size })
          }
          expect([...run.rows.values()].every(({ windowId }) => model.has(windowId))).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DueQueue, type Waiting } from '../../../../server/engine/windows/dueQueue'

/** An instant: something due then is put in, or what is due by then is asked for. */
const move = fc.record({ put: fc.boolean(), at: fc.integer({ min: -20, max: 20 }), tie: fc.nat(999) })
const order = (a: { due: number; n: number }, b: { due: number; n: number }) => a.due - b.due || a.n - b.n

describe('a queue of what is due', () => {
  test('gives what a sorted list would, by instant and then by number, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 300, size: 'max' }), (moves) => {
        const queue = new DueQueue<Waiting>()
        const model: { due: number; n: number }[] = []
        moves.forEach(({ put, at, tie }, i) => {
          const n = tie * 1_000 + i
          if (put) {
            queue.push({ ordinal: n }, at)
            model.push({ due: at, n })
            model.sort(order)
          } else {
            const expected = (model[0]?.due ?? 99) <= at ? model.shift() : undefined
            expect(queue.popDue(at)?.ordinal).toBe(expected?.n)
          }
          expect([queue.due, queue.size]).toEqual([model[0]?.due, model.length])
        })
        while (model.length > 0) expect(queue.popDue(20)?.ordinal).toBe(model.shift()?.n)
      }),
    )
  })

  test('gives the same order whichever way it was filled', () => {
    const items = fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(200)), { selector: ([, n]) => n, maxLength: 60 })
    fc.assert(
      fc.property(
        items.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        (fillings) => {
          const [one, other] = fillings.map((all) => {
            const queue = new DueQueue<Waiting>()
            for (const [due, ordinal] of all) queue.push({ ordinal }, due)
            return all.map(() => queue.popDue(5)?.ordinal)
          })
          expect(one).toEqual(other)
        },
      ),
    )
  })
})

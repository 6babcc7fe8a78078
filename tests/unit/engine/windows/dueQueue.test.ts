import { describe, expect, test } from 'vitest'
import { DueQueue, type Waiting } from '../../../../server/engine/windows/dueQueue'

const item = (ordinal: number): Waiting => ({ ordinal })

describe('a queue of what is due', () => {
  test('is empty at first, after its last item, and when it is cleared', () => {
    const queue = new DueQueue<Waiting>()
    expect([queue.due, queue.popDue(Number.POSITIVE_INFINITY), queue.size]).toEqual([undefined, null, 0])
    const only = item(1)
    queue.push(only, 5)
    expect([queue.size, queue.due, queue.popDue(5), queue.popDue(5), queue.size]).toEqual([
      1,
      5,
      only,
      null,
      0,
    ])
    for (const due of [3, 1, 2]) queue.push(item(due), due)
    queue.clear()
    expect([queue.size, queue.due, queue.popDue(9)]).toEqual([0, undefined, null])
  })

  test('gives nothing before it is due, and then at that very instant', () => {
    const queue = new DueQueue<Waiting>()
    queue.push(item(1), -5)
    expect([queue.popDue(-6), queue.size, queue.popDue(-5)?.ordinal]).toEqual([null, 1, 1])
  })

  test('gives of those that are due together the one with the lowest number first', () => {
    const queue = new DueQueue<Waiting>()
    for (const ordinal of [4, 2, 5, 1, 3]) queue.push(item(ordinal), 7)
    expect([1, 2, 3, 4, 5].map(() => queue.popDue(7)?.ordinal)).toEqual([1, 2, 3, 4, 5])
  })

  test('holds what is due at the ends of time', () => {
    const queue = new DueQueue<Waiting>()
    queue.push(item(1), Number.POSITIVE_INFINITY)
    queue.push(item(2), Number.NEGATIVE_INFINITY)
    expect([queue.popDue(Number.MIN_SAFE_INTEGER)?.ordinal, queue.popDue(1e300)]).toEqual([2, null])
    expect(queue.popDue(Number.POSITIVE_INFINITY)?.ordinal).toBe(1)
  })
})

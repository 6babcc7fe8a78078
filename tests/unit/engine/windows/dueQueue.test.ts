import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DueQueue } from '../../../../server/engine/windows/dueQueue'

describe('a queue of what is due', () => {
  test('is empty at first and after its last item', () => {
    const queue = new DueQueue<{ end: number }>()
    expect([queue.peek(), queue.pop(), queue.size]).toEqual([undefined, undefined, 0])
    const item = { end: 1 }
    queue.push(item)
    expect([queue.size, queue.peek(), queue.pop(), queue.pop(), queue.size]).toEqual([
      1,
      item,
      item,
      undefined,
      0,
    ])
  })

  test('gives the earliest first, whatever was put in and taken out before', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: -50, max: 50 })), { maxLength: 300 }), (moves) => {
        const queue = new DueQueue<{ end: number }>()
        const model: number[] = []
        for (const end of moves) {
          if (end === null) expect(queue.pop()?.end).toBe(model.shift())
          else {
            queue.push({ end })
            model.push(end)
            model.sort((a, b) => a - b)
          }
          expect([queue.peek()?.end, queue.size]).toEqual([model[0], model.length])
        }
        while (model.length > 0) expect(queue.pop()?.end).toBe(model.shift())
      }),
    )
  })
})

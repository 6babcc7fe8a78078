import { describe, expect, test } from 'vitest'
import { Occurrences } from '../../../../server/engine/windows/occurrences'
import { Run } from '../../../support/engine'

/** What the table says of one id each time that it is seen in a slice. */
function seen(table: Occurrences, slices: number[], salt = 0, id = 7) {
  return slices.map((slice) => table.see(salt, Int32Array.of(id, 1, 2, 3), 0, slice))
}

const near = (before: number | null, after: number | null) => ({ before, after })

describe('the slices of an id', () => {
  test('have as neighbours the nearest before and after, in whatever order they were seen', () => {
    const table = new Occurrences()
    expect(seen(table, [50, 10, 30, 40, 90, 20])).toEqual([
      near(null, null),
      near(null, 50),
      near(10, 50),
      near(30, 50),
      near(50, null),
      near(10, 30),
    ])
  })

  test('are each noted once', () => {
    const table = new Occurrences()
    seen(table, [10, 30, 20])
    expect(seen(table, [10, 20, 30])).toEqual([null, null, null])
  })

  test('are kept apart by salt and by each of 96 bits', () => {
    const table = new Occurrences()
    seen(table, [10])
    expect([...seen(table, [10], 1), ...seen(table, [10], 0, 8)]).toEqual([
      near(null, null),
      near(null, null),
    ])
    const others = [Int32Array.of(7, 9, 2, 3), Int32Array.of(7, 1, 9, 3)]
    expect(others.map((words) => table.see(0, words, 0, 10))).toEqual([near(null, null), near(null, null)])
    expect(table.see(0, Int32Array.of(7, 1, 2, 99), 0, 10)).toBeNull()
  })

  test('are read from the hash at the place that is told', () => {
    const table = new Occurrences()
    const words = Int32Array.of(0, 0, 0, 0, 7, 1, 2, 3)
    table.see(0, words, 4, 10)
    expect(seen(table, [10])).toEqual([null])
  })

  test('may be before 1970', () => {
    expect(seen(new Occurrences(), [-10, -30, 0, -10])).toEqual([
      near(null, null),
      near(null, -10),
      near(-10, null),
      null,
    ])
  })

  test('are known as neighbours until they are passed', () => {
    const table = new Occurrences()
    seen(table, [10, 30])
    table.pass(30)
    expect(seen(table, [30, 50, 40])).toEqual([null, near(30, null), near(30, 50)])
  })

  test('that are passed make room: a steady stream does not grow the table', () => {
    const table = new Occurrences()
    const sizes: number[] = []
    for (let slice = 0; slice < 300; slice++) {
      for (let id = 0; id < 20; id++) seen(table, [slice], 0, slice * 20 + id)
      seen(table, [slice], 1, 5)
      table.pass(slice - 3)
      sizes.push(table.bytes)
    }
    expect(Math.max(...sizes.slice(20))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 20)))
    expect(seen(table, [299, 300], 1, 5)).toEqual([null, near(299, null)])
  })
})

describe('the distinct orders of overlapping windows', () => {
  test('are counted once in windows that open before others which are held already', () => {
    const run = new Run({
      allowedLateness: 1_000,
      views: [{ id: 's', window: { kind: 'sliding', size: 100, slide: 50 } }],
    })
    run.oneByOne({ ts: 110 }, { ts: 510 }, { ts: 1_221 })
    run.oneByOne({ ts: 260, order: 'o' }, { ts: 470, order: 'o' }, { ts: 262, order: 'o' })
    const counts = [200, 250, 400, 450].map((start) => run.row('s', start)?.orders)
    expect(counts).toEqual([1, 1, 1, 2])
    expect(run.row('s', 200)?.events).toBe(2)
  })
})

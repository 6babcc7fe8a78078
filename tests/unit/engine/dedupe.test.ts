import { describe, expect, test } from 'vitest'
import { IdTable } from '../../../server/engine/dedupe'

type Id = readonly [a: number, b: number, c: number, d: number]

/** Remembers an id as the fold does: it is looked for first. Returns the content that it was known with. */
function remember(table: IdTable, id: Id, content: number, window: number): number | null {
  const known = table.find(...id)
  if (known === null) table.insertFound(content, window)
  return known
}

/** Spread over all shards and slots, as hashes are. */
const idOf = (i: number): Id => [Math.imul(i, 0x9e3779b1), i, i, Math.imul(i, 0x85ebca6b)]

describe('the table of live ids', () => {
  test('knows an id from its insertion until its window is released, with its content', () => {
    const table = new IdTable()
    expect(remember(table, [1, 2, 3, 4], 77, 1)).toBeNull()
    expect([table.find(1, 2, 3, 4), table.size]).toEqual([77, 1])
    table.release(1)
    expect([table.find(1, 2, 3, 4), table.size]).toEqual([null, 0])
  })

  test('knows an id whose content hash is 0, and the id of all zeros', () => {
    const table = new IdTable()
    remember(table, [0, 0, 0, 0], 0, 1)
    expect([table.find(0, 0, 0, 0), table.find(0, 0, 0, 16)]).toEqual([0, null])
  })

  test('compares all 128 bits', () => {
    const table = new IdTable()
    remember(table, [1, 2, 3, 4], 77, 1)
    const near: Id[] = [
      [65, 2, 3, 4],
      [1, 9, 3, 4],
      [1, 2, 9, 4],
      [1, 2, 3, 20],
    ]
    expect(near.map((id) => table.find(...id))).toEqual([null, null, null, null])
  })

  test('releases one window and keeps the others', () => {
    const table = new IdTable()
    remember(table, [1, 0, 0, 0], 10, 1)
    remember(table, [1, 1, 0, 0], 20, 2)
    table.release(1)
    expect([table.find(1, 0, 0, 0), table.find(1, 1, 0, 0), table.size]).toEqual([null, 20, 1])
  })

  test('hears of a window that held nothing, or was released before, without miscounting', () => {
    const table = new IdTable()
    remember(table, [1, 2, 3, 4], 10, 1)
    for (const window of [7, 1, 1]) table.release(window)
    expect(table.size).toBe(0)
  })

  test('takes in anew an id that comes again after its window was released', () => {
    const table = new IdTable()
    remember(table, [1, 2, 3, 4], 10, 1)
    table.release(1)
    expect(remember(table, [1, 2, 3, 4], 20, 2)).toBeNull()
    expect([table.find(1, 2, 3, 4), table.size]).toEqual([20, 1])
  })

  test('takes 32 to 60 bytes an id once it has grown', () => {
    const table = new IdTable()
    const each: number[] = []
    for (let i = 0; i < 100_000; i++) {
      remember(table, idOf(i), i, 1)
      if (i >= 5_000) each.push(table.bytes / table.size)
    }
    expect(each.reduce((a, b) => Math.min(a, b))).toBeGreaterThan(31)
    expect(each.reduce((a, b) => Math.max(a, b))).toBeLessThan(61)
  })

  test('gives the room of released ids to new ones: a steady stream does not grow it', () => {
    const table = new IdTable()
    let most = 0
    let lost = 0
    for (let window = 1; window <= 200; window++) {
      const own = Array.from({ length: 500 }, (_, i) => idOf(window * 500 + i))
      own.forEach((id, i) => {
        remember(table, id, i, window)
      })
      own.forEach((id, i) => {
        if (table.find(...id) !== i) lost++
      })
      table.tidy()
      if (window > 2) table.release(window - 2)
      if (window === 20) most = table.bytes
    }
    expect([lost, table.size]).toEqual([0, 1_000])
    expect(table.bytes).toBeLessThanOrEqual(most)
    expect(table.find(...idOf(199 * 500))).toBe(0)
    expect(table.find(...idOf(198 * 500))).toBeNull()
  })
})

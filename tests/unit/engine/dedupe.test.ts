import { describe, expect, test } from 'vitest'
import { IdTable } from '../../../server/engine/dedupe'

describe('the table of live ids', () => {
  test('knows an id from its insertion until its window is released, with its content', () => {
    const table = new IdTable()
    expect(table.find(1, 2, 3, 4)).toBeNull()
    table.insert(1, 2, 3, 4, 77, 1)
    expect([table.find(1, 2, 3, 4), table.size]).toEqual([77, 1])
    table.release(1)
    expect([table.find(1, 2, 3, 4), table.size]).toEqual([null, 0])
  })

  test('knows an id whose content hash is 0', () => {
    const table = new IdTable()
    table.insert(1, 2, 3, 4, 0, 1)
    expect(table.find(1, 2, 3, 4)).toBe(0)
  })

  test('compares all 128 bits', () => {
    const table = new IdTable()
    table.insert(1, 2, 3, 4, 77, 1)
    const near = [
      table.find(65, 2, 3, 4),
      table.find(1, 9, 3, 4),
      table.find(1, 2, 9, 4),
      table.find(1, 2, 3, 20),
    ]
    expect(near).toEqual([null, null, null, null])
  })

  test('releases one window and keeps the others', () => {
    const table = new IdTable()
    table.insert(1, 0, 0, 0, 10, 1)
    table.insert(1, 1, 0, 0, 20, 2)
    table.release(1)
    expect([table.find(1, 0, 0, 0), table.find(1, 1, 0, 0), table.size]).toEqual([null, 20, 1])
  })

  test('counts an id anew that comes again after its window was released', () => {
    const table = new IdTable()
    table.insert(1, 2, 3, 4, 10, 1)
    table.release(1)
    table.insert(1, 2, 3, 4, 20, 2)
    expect([table.find(1, 2, 3, 4), table.size]).toEqual([20, 1])
  })

  test('gives the room of released ids to new ones: a steady stream does not grow it', () => {
    const table = new IdTable()
    const start = (i: number) => Math.imul(i, 0x9e3779b1) >>> 0
    let most = 0
    let lost = 0
    for (let window = 1; window <= 200; window++) {
      for (let i = 0; i < 500; i++) table.insert(start(i), window, i, i, i, window)
      for (let i = 0; i < 500; i++) if (table.find(start(i), window, i, i) !== i) lost++
      if (window > 2) table.release(window - 2)
      if (window === 20) most = table.bytes
    }
    expect(lost).toBe(0)
    expect(table.bytes).toBeLessThanOrEqual(most)
    expect(table.find(0, 199, 0, 0)).toBe(0)
    expect(table.find(0, 198, 0, 0)).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import { OTHER } from '../../../../server/engine/aggregate/batchKeys'
import { KeyTable } from '../../../../server/engine/aggregate/keyTable'
import type { Ev } from '../../../support/events'
import { keysIn } from './keysIn'

/** Numbers that the table gives to the keys of events. */
function numbers(table: KeyTable, groupBy: string[], most: number, ...events: Partial<Ev>[]): number[] {
  const keys = keysIn(groupBy, events)
  return events.map((_, row) => {
    keys.look(row)
    return table.numberOf(keys, row, most)
  })
}

const a = (...values: string[]): Partial<Ev>[] => values.map((value) => ({ dims: { a: value } }))
const textsOf = (table: KeyTable) => Array.from({ length: table.count }, (_, i) => table.partsOf(i).text)

describe('the keys of a window', () => {
  test('are numbered in order of arrival, from 0, each once', () => {
    const table = new KeyTable()
    expect(numbers(table, ['a'], 10, ...a('x', 'y', 'x'), {}, ...a('y'))).toEqual([0, 1, 0, 2, 1])
    expect(textsOf(table)).toEqual(['["USD","x"]', '["USD","y"]', '["USD",null]'])
  })

  test('are known from another batch by what they are, not by where they stood in it', () => {
    const table = new KeyTable()
    numbers(table, ['a'], 10, ...a('x', 'y'))
    expect(numbers(table, ['a'], 10, ...a('new', 'y', 'x'))).toEqual([2, 1, 0])
  })

  test('are told apart by each word of their hash', () => {
    const table = new KeyTable()
    const keys = keysIn(['a'], a('x'))
    const found = [
      [1, 2, 3],
      [9, 2, 3],
      [1, 9, 3],
      [1, 2, 9],
      [1, 2, 3],
    ].map(([one = 0, two = 0, three = 0]) => {
      Object.assign(keys, { a: one, b: two, c: three })
      return table.numberOf(keys, 0, 100)
    })
    expect(found).toEqual([0, 1, 2, 3, 0])
  })

  test('read back as they were: many bytes a character, the longest, a mark in front, none at all', () => {
    const table = new KeyTable()
    const values = ['上海', 'é', '😀'.repeat(64), '\ufeffx', 'x'.repeat(128), '"\\']
    numbers(table, ['a', 'b'], 100, ...values.map((value) => ({ dims: { b: value } })))
    expect(textsOf(table).map((text) => JSON.parse(text))).toEqual(
      values.map((value) => ['USD', null, value]),
    )
  })

  test('beyond the cap are one overflow key a currency, and those that were in stay', () => {
    const table = new KeyTable()
    const events = [...a('x', 'y', 'z'), { dims: { a: 'w' }, currency: 'EUR' }, ...a('x', 'v')]
    expect(numbers(table, ['a'], 2, ...events)).toEqual([0, 1, 2, 3, 0, 2])
    expect(textsOf(table).slice(2)).toEqual([`["USD","${OTHER}"]`, `["EUR","${OTHER}"]`])
    expect([0, 1, 2, 3].map((i) => table.isOther(i))).toEqual([false, false, true, true])
  })

  test('of which one has the name of the overflow are two', () => {
    const table = new KeyTable()
    expect(numbers(table, ['a'], 1, ...a(OTHER, 'x', OTHER))).toEqual([0, 1, 0])
    expect(textsOf(table)).toEqual([`["USD","\\\\${OTHER}"]`, `["USD","${OTHER}"]`])
    expect(table.partsOf(0).dims).toEqual([`\\${OTHER}`])
  })

  test('of a view without dimensions are never folded away: there is nothing to fold into', () => {
    const table = new KeyTable()
    const currencies = ['USD', 'EUR', 'JPY'].map((currency) => ({ currency }))
    expect(numbers(table, [], 1, ...currencies)).toEqual([0, 1, 2])
    expect([0, 1, 2].some((i) => table.isOther(i))).toBe(false)
  })

  test('take in as many more as the cap was raised by', () => {
    const table = new KeyTable()
    numbers(table, ['a'], 1, ...a('x', 'y'))
    expect(numbers(table, ['a'], 2, ...a('y', 'z', 'y'))).toEqual([2, 1, 2])
  })

  test('cost some 60 bytes each, not an object', () => {
    const table = new KeyTable()
    numbers(table, ['a'], 1e6, ...Array.from({ length: 10_000 }, (_, i) => ({ dims: { a: `user-${i}` } })))
    expect(table.bytes / table.count).toBeLessThan(100)
    expect(table.partsOf(9_999).text).toBe('["USD","user-9999"]')
  })
})

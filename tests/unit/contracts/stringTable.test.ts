import { describe, expect, test } from 'vitest'
import { StringTableBuilder, stringAt } from '../../../server/contracts/stringTable'

describe('a string table', () => {
  test('gives back what was put in, of any script', () => {
    const texts = [
      'a',
      '订单-1',
      'Zürich',
      '👩‍👩‍👧',
      '\u0000',
      'é',
      '\uFEFFmark',
      '"quoted"',
      'x'.repeat(9_000),
    ]
    const builder = new StringTableBuilder(1)
    const indices = texts.map((text) => builder.append(text))
    const table = builder.build()
    expect(indices.map((i) => stringAt(table, i))).toEqual(texts)
    expect(table.offsets.at(-1)).toBe(table.bytes.length)
  })

  test('holds the empty string at 0, for "absent"', () => {
    const builder = new StringTableBuilder()
    expect([builder.intern(''), stringAt(builder.build(), 0)]).toEqual([0, ''])
  })

  test('interns equal strings at one index and appends them at two', () => {
    const builder = new StringTableBuilder()
    const first = builder.intern('x')
    expect([
      builder.intern('x') === first,
      builder.append('x') === first,
      builder.intern('y') === first,
    ]).toEqual([true, false, false])
  })

  test('keeps what was there when its buffer grows', () => {
    const builder = new StringTableBuilder(64)
    const first = builder.append('订'.repeat(20))
    const second = builder.append('单'.repeat(500))
    const table = builder.build()
    expect([stringAt(table, first), stringAt(table, second)]).toEqual(['订'.repeat(20), '单'.repeat(500)])
  })

  test('that is built does not change when its builder goes on', () => {
    const builder = new StringTableBuilder()
    const index = builder.append('kept')
    const table = builder.build()
    for (let i = 0; i < 100; i++) builder.append('other')
    expect([stringAt(table, index), table.offsets.length]).toEqual(['kept', 3])
  })

  test('refuses an index that it does not hold', () => {
    expect(() => stringAt(new StringTableBuilder().build(), 1)).toThrow(RangeError)
  })
})

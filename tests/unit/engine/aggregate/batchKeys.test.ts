import { describe, expect, test } from 'vitest'
import { BatchKeys, OTHER, otherKey } from '../../../../server/engine/aggregate/batchKeys'
import { batchOf, type Ev } from '../../../support/engine'

/** The keys that events get, as text. */
function keysOf(groupBy: string[], ...events: Partial<Ev>[]): string[] {
  const keys = new BatchKeys(batchOf(events.map((e) => ({ ts: 0, ...e }))), groupBy)
  return events.map((_, row) => keys.keyOf(row).text)
}

const EIGHT = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8']
const all = (value: string) => Object.fromEntries(EIGHT.map((name) => [name, value]))

describe('the key of an event', () => {
  test('is its currency and a value for each dimension of the view, in the order of the view', () => {
    const dims = { channel: 'web', region: 'north', other: 'x' }
    expect(keysOf(['region', 'channel'], { dims })).toEqual(['["USD","north","web"]'])
    expect(keysOf([], { dims, currency: 'EUR' })).toEqual(['["EUR"]'])
  })

  test('has null where the event, or the whole batch, lacks the dimension', () => {
    const events: Partial<Ev>[] = [{ dims: { a: 'x' } }, { dims: { b: 'y' } }]
    expect(keysOf(['a', 'b', 'c'], ...events)).toEqual(['["USD","x",null,null]', '["USD",null,"y",null]'])
  })

  test('is one object for all events of a batch that share it', () => {
    const keys = new BatchKeys(
      batchOf([
        { ts: 0, dims: { a: 'x' } },
        { ts: 1, dims: { a: 'x' } },
      ]),
      ['a'],
    )
    expect(keys.keyOf(1)).toBe(keys.keyOf(0))
  })

  test('of a value named `__other__` is escaped, however often a producer escaped it itself', () => {
    const sent = ['__other__', '\\__other__', '\\\\__other__', '___other__', '__other__ ', 'x__other__']
    const keys = keysOf(['a'], ...sent.map((a) => ({ dims: { a } })))
    const read = keys.map((text) => JSON.parse(text)[1])
    expect(read).toEqual([
      '\\__other__',
      '\\\\__other__',
      '\\\\\\__other__',
      '___other__',
      '__other__ ',
      'x__other__',
    ])
  })

  test('tells combinations apart that would be one number: many dimensions, many strings', () => {
    const noise = Array.from({ length: 3_000 }, (_, i) => ({ dims: all(`v${i % 7}`), order: `o${i}` }))
    const keys = keysOf(
      EIGHT,
      ...noise,
      { dims: { ...all('v1'), d8: 'v2' } },
      { dims: { ...all('v1'), d1: 'v2' } },
    )
    expect(new Set(keys).size).toBe(9)
    expect(keys[1]).toBe(JSON.stringify(['USD', ...Array(8).fill('v1')]))
    expect(keys.at(-1)).toBe(JSON.stringify(['USD', 'v2', ...Array(7).fill('v1')]))
  })

  test('never mixes currencies, also where many dimensions make it a text', () => {
    const mixed = Array.from({ length: 400 }, (_, i) => ({ dims: all('v'), currency: i % 2 ? 'EUR' : 'USD' }))
    const keys = keysOf(EIGHT, ...mixed)
    expect([keys[0]?.slice(0, 7), keys[1]?.slice(0, 7)]).toEqual(['["USD",', '["EUR",'])
  })
})

describe('the overflow key', () => {
  test('keeps the currency', () => {
    const key = otherKey({ text: '', currency: 'EUR', dims: ['a', null] })
    expect(key).toEqual({ text: '["EUR","__other__","__other__"]', currency: 'EUR', dims: [OTHER, OTHER] })
  })
})

import { describe, expect, test } from 'vitest'
import {
  escapeReserved,
  KeysByGrouping,
  OTHER,
  otherKey,
} from '../../../../server/engine/aggregate/batchKeys'
import { hashTable } from '../../../../server/engine/aggregate/hash128'
import type { Ev } from '../../../support/events'
import { keysIn } from './keysIn'

/** The keys that events get, as text. */
function textsOf(groupBy: string[], ...events: Partial<Ev>[]): string[] {
  const keys = keysIn(groupBy, events)
  return events.map((_, row) => keys.partsOf(row).text)
}

/** The hashes that the keys of events are found by. */
function hashesOf(groupBy: string[], ...events: Partial<Ev>[]): string[] {
  const keys = keysIn(groupBy, events)
  return events.map((_, row) => {
    keys.look(row)
    return [keys.a, keys.b, keys.c].join()
  })
}

const EIGHT = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8']
const all = (value: string) => Object.fromEntries(EIGHT.map((name) => [name, value]))

describe('the key of an event', () => {
  test('is its currency and a value for each dimension of the view, in the order of the view', () => {
    const dims = { channel: 'web', region: 'north', other: 'x' }
    expect(textsOf(['region', 'channel'], { dims })).toEqual(['["USD","north","web"]'])
    expect(textsOf([], { dims, currency: 'EUR' })).toEqual(['["EUR"]'])
  })

  test('has null where the event, or the whole batch, lacks the dimension', () => {
    const events: Partial<Ev>[] = [{ dims: { a: 'x' } }, { dims: { b: 'y' } }]
    expect(textsOf(['a', 'b', 'c'], ...events)).toEqual(['["USD","x",null,null]', '["USD",null,"y",null]'])
  })

  test('by `userId` is the field of that name, not a dimension', () => {
    const events: Partial<Ev>[] = [{ user: 'u1', dims: { userId: 'fake' } }, { dims: { userId: 'fake' } }]
    expect(textsOf(['userId'], ...events)).toEqual(['["USD","u1"]', '["USD",null]'])
  })

  test('of a value named `__other__` is escaped, however often a producer escaped it itself', () => {
    const sent = ['__other__', '\\__other__', '\\\\__other__', '___other__', '__other__ ', 'x__other__']
    const texts = textsOf(['a'], ...sent.map((a) => ({ dims: { a } })))
    expect(texts.map((text) => JSON.parse(text)[1])).toEqual([
      '\\__other__',
      '\\\\__other__',
      '\\\\\\__other__',
      '___other__',
      '__other__ ',
      'x__other__',
    ])
    expect(sent.map(escapeReserved)).not.toContain(OTHER)
  })

  test('of a currency is never escaped: no dimension, no overflow', () => {
    expect(textsOf([], { currency: OTHER })).toEqual([`["${OTHER}"]`])
  })
})

describe('the hash of a key', () => {
  test('does not depend on the batch: its other strings, dimensions and order of rows', () => {
    const event = { dims: { a: 'x', b: 'y' } }
    const [alone] = hashesOf(['a', 'b'], event)
    const noise = Array.from({ length: 50 }, (_, i) => ({ dims: { z: `z${i}`, b: `b${i}` } }))
    expect(hashesOf(['a', 'b'], ...noise, event).at(-1)).toBe(alone)
  })

  test('tells which dimension has a value', () => {
    const events: Partial<Ev>[] = [
      { dims: { a: 'x', b: 'y' } },
      { dims: { a: 'y', b: 'x' } },
      { dims: { a: 'x' } },
      { dims: { b: 'x' } },
      { dims: {} },
      { dims: { a: 'USD' }, currency: 'x' },
      { dims: { a: 'x' }, currency: 'EUR' },
    ]
    expect(new Set(hashesOf(['a', 'b'], ...events)).size).toBe(events.length)
  })

  test('tells in each of its words which value is whose', () => {
    const [xy, yx] = hashesOf(['a', 'b'], { dims: { a: 'x', b: 'y' } }, { dims: { a: 'y', b: 'x' } })
    const words = (hash = '') => hash.split(',')
    expect(words(xy).some((word, i) => word === words(yx)[i])).toBe(false)
  })

  test('tells combinations apart that would be one number: many dimensions, many strings', () => {
    const noise = Array.from({ length: 3_000 }, (_, i) => ({ dims: all(`v${i % 7}`), order: `o${i}` }))
    const others = [{ dims: { ...all('v1'), d8: 'v2' } }, { dims: { ...all('v1'), d1: 'v2' } }]
    expect(new Set(hashesOf(EIGHT, ...noise, ...others)).size).toBe(9)
  })
})

describe('the keys of a batch', () => {
  test('are one for all views of a grouping, and others for another order of it', () => {
    const { batch } = keysIn([], [{ dims: { a: 'x', b: 'y' } }])
    const keys = new KeysByGrouping(batch, hashTable(batch.strings))
    expect(keys.of(['a', 'b'])).toBe(keys.of(['a', 'b']))
    const textOf = (...groupBy: string[]) => keys.of(groupBy).partsOf(0).text
    expect([textOf('a', 'b'), textOf('b', 'a'), textOf()]).toEqual([
      '["USD","x","y"]',
      '["USD","y","x"]',
      '["USD"]',
    ])
  })
})

describe('the overflow key', () => {
  test('keeps the currency', () => {
    const key = otherKey({ text: '', currency: 'EUR', dims: ['a', null] })
    expect([key.text, key.currency, key.dims]).toEqual([
      '["EUR","__other__","__other__"]',
      'EUR',
      [OTHER, OTHER],
    ])
  })
})

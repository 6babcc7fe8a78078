import { describe, expect, test } from 'vitest'
import { OTHER } from '../../../../server/engine/aggregate/batchKeys'
import { restoreLiveKeys, saveLiveKeys } from '../../../../server/engine/snapshot/liveKeys'
import { SegmentReader, SegmentWriter } from '../../../../server/engine/snapshot/segment'
import { LiveKeys } from '../../../../server/engine/windows/liveKeys'
import type { Ev } from '../../../support/events'
import { keysIn } from '../aggregate/keysIn'

const a = (...values: string[]): Partial<Ev>[] => values.map((value) => ({ dims: { a: value } }))

/** The keys that events get, with a cap, or what `peek` says of them. */
function keysOf(live: LiveKeys, most: number, events: Partial<Ev>[], ask: 'keyOf' | 'peek' = 'keyOf') {
  const keys = keysIn(['a'], events)
  live.beginBatch()
  return events.map((_, row) => {
    keys.look(row)
    return live[ask](keys, row, most)
  })
}

const texts = (live: LiveKeys, most: number, events: Partial<Ev>[]) =>
  keysOf(live, most, events).map((key) => key?.parts.text)
const idOf = (live: LiveKeys, value: string) => keysOf(live, 1e6, a(value))[0]?.id ?? 0

describe('the keys that live', () => {
  test('have an id of their own, which they keep from batch to batch', () => {
    const live = new LiveKeys()
    const [x, y, again] = keysOf(live, 10, a('x', 'y', 'x'))
    expect([again, y === x]).toEqual([x, false])
    expect(keysOf(live, 10, [...a('new', 'y'), {}]).slice(1, 2)).toEqual([y])
    expect(live.byId(x?.id ?? 0)).toBe(x)
    expect(() => live.byId(99)).toThrow(RangeError)
  })

  test('beyond the cap are one overflow key a currency; those that were in stay', () => {
    const live = new LiveKeys()
    const euro = { dims: { a: 'w' }, currency: 'EUR' }
    const keys = keysOf(live, 2, [...a('x', 'y', 'z'), euro, ...a('x', 'v')])
    expect(keys.map((key) => key?.isOther)).toEqual([false, false, true, true, false, true])
    expect(keys[5]).toBe(keys[2])
    expect([keys[2], keys[3]].map((key) => key?.parts.text)).toEqual([
      `["USD","${OTHER}"]`,
      `["EUR","${OTHER}"]`,
    ])
  })

  test('are told apart within a batch by all words of their hash', () => {
    const live = new LiveKeys()
    const keys = keysIn(['a'], a('x', 'y', 'z'))
    const words = [
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 9, c: 3 },
      { a: 1, b: 2, c: 9 },
    ]
    const values = words.map((hash, row) => {
      Object.assign(keys, hash)
      return live.keyOf(keys, row, 10).parts.dims[0]
    })
    expect(values).toEqual(['x', 'y', 'z'])
  })

  test('are never folded away without dimensions', () => {
    const live = new LiveKeys()
    const events = ['USD', 'EUR', 'JPY'].map((currency) => ({ currency }))
    const keys = keysIn([], events)
    const isOther = events.map((_, row) => {
      keys.look(row)
      return live.keyOf(keys, row, 1).isOther
    })
    expect(isOther).toEqual([false, false, false])
  })

  test('of which one has the name of the overflow are two', () => {
    const live = new LiveKeys()
    expect(texts(live, 1, a(OTHER, 'x', OTHER))).toEqual([
      `["USD","\\\\${OTHER}"]`,
      `["USD","${OTHER}"]`,
      `["USD","\\\\${OTHER}"]`,
    ])
  })

  test('make room under the cap when one is dropped, within a batch too', () => {
    const live = new LiveKeys()
    expect(texts(live, 1, a('x', 'y'))).toEqual(['["USD","x"]', `["USD","${OTHER}"]`])
    const keys = keysIn(['a'], a('x', 'y', 'x'))
    live.beginBatch()
    keys.look(0)
    const x = live.keyOf(keys, 0, 1)
    live.drop(x.id)
    keys.look(1)
    expect(live.keyOf(keys, 1, 1).parts.text).toBe('["USD","y"]')
    keys.look(2)
    expect(live.keyOf(keys, 2, 1).isOther).toBe(true)
    expect(() => live.byId(x.id)).toThrow(RangeError)
  })

  test('do not count an overflow key against the cap, nor its dropping for it', () => {
    const live = new LiveKeys()
    const [, other] = keysOf(live, 2, a('x', 'y', 'z')).slice(1)
    expect(other?.isOther).toBe(true)
    live.drop(other?.id ?? 0)
    expect(keysOf(live, 2, a('z')).map((key) => key?.isOther)).toEqual([true])
    live.drop(idOf(live, 'x'))
    expect(texts(live, 2, a('z', 'v'))).toEqual(['["USD","z"]', `["USD","${OTHER}"]`])
  })

  test('get another id when they come again after they were dropped', () => {
    const live = new LiveKeys()
    const first = idOf(live, 'x')
    live.drop(first)
    expect(idOf(live, 'x')).toBeGreaterThan(first)
  })

  test('are not made by a peek, which tells what an event would be counted under', () => {
    const live = new LiveKeys()
    expect(keysOf(live, 1, a('x'), 'peek')).toEqual([null])
    expect(live.bytes).toBe(0)
    const [x] = keysOf(live, 1, a('x'))
    expect(keysOf(live, 1, a('x', 'y'), 'peek')).toEqual([x, null])
    const [other] = keysOf(live, 1, a('y'))
    expect(keysOf(live, 1, a('y', 'z', 'x'), 'peek')).toEqual([other, other, x])
    // With room left, a key that is not held would be counted under a row of its own.
    expect(keysOf(live, 2, a('z'), 'peek')).toEqual([null])
  })

  test('are the same after a restart: ids, cap, and the numbers of those to come', () => {
    const before = new LiveKeys()
    keysOf(before, 2, [...a('x', 'y', 'z'), { dims: { a: 'w' }, currency: 'EUR' }])
    before.drop(idOf(before, 'x'))
    const after = LiveKeys.restore(before.save())
    expect(after.bytes).toBe(before.bytes)
    const events = [...a('y', 'new', 'more'), { currency: 'EUR' }]
    const said = [before, after].map((live) =>
      keysOf(live, 2, events).map((key) => key && { ...key, parts: key.parts.text }),
    )
    expect(said[1]).toEqual(said[0])
  })

  test('can be written to a snapshot and read again, however many they are', () => {
    for (let count = 0; count < 200; count++) {
      const live = new LiveKeys()
      keysOf(live, 1e6, a(...Array.from({ length: count }, (_, i) => `key-${i}`)))
      const out = new SegmentWriter('keys')
      saveLiveKeys(live, out)
      const restored = restoreLiveKeys(new SegmentReader(out.done()))
      expect(restored.bytes).toBe(live.bytes)
    }
  })
})

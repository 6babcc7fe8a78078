import { describe, expect, test } from 'vitest'
import { NO_VALUES } from '../../../../server/engine/aggregate/measures'
import { Differences } from '../../../../server/engine/windows/differences'

const EVENT = { events: 1 } as const

/** Events of key 1 in each of these windows. */
const eventsIn = (line: Differences, ...ids: number[]) => ids.map((id) => line.valuesOf(1, id).events)

/** Passes the windows up to an id, and tells which keys have gone. */
function gone(line: Differences, id: number): number[] {
  const keys: number[] = []
  line.pass(id, (key) => keys.push(key))
  return keys
}

describe('the values of overlapping windows', () => {
  test('are nothing where nothing was added', () => {
    expect(new Differences().valuesOf(7, 3)).toEqual(NO_VALUES)
  })

  test('are added to from the first window to the last, both of them in', () => {
    const line = new Differences()
    line.add(1, 10, 20, EVENT)
    line.add(1, 20, 30, EVENT)
    expect(eventsIn(line, 9, 10, 19, 20, 21, 30, 31)).toEqual([0, 1, 1, 2, 1, 1, 0])
    expect(line.valuesOf(2, 20)).toEqual(NO_VALUES)
  })

  test('hold every measure, money in both limbs', () => {
    const line = new Differences()
    const order = { grossHi: 3, grossLo: 99_999_999, events: 1, orders: 1, buyers: 1 }
    for (let i = 0; i < 2; i++) line.add(1, 5, 5, order)
    line.add(1, 5, 5, { refundsHi: 1, refundsLo: 2, events: 1 })
    expect(line.valuesOf(1, 5)).toEqual({
      gross: { hi: 7, lo: 99_999_998 },
      refunds: { hi: 1, lo: 2 },
      orders: 2,
      buyers: 2,
      events: 3,
    })
  })

  test('are none of an empty stretch', () => {
    const line = new Differences()
    line.add(1, 20, 19, EVENT)
    expect([eventsIn(line, 19, 20), [...line.keys()]]).toEqual([[0, 0], []])
  })

  test('stay while windows before them are passed', () => {
    const line = new Differences()
    line.add(1, 10, 20, EVENT)
    line.add(1, 15, 30, EVENT)
    expect(gone(line, 17)).toEqual([])
    expect(eventsIn(line, 18, 20, 21, 30, 31)).toEqual([2, 2, 1, 1, 0])
  })

  test('are added to from where windows are not passed, by an event that belongs to some that are', () => {
    const line = new Differences()
    gone(line, 17)
    line.add(1, 10, 20, EVENT)
    line.add(1, 5, 17, EVENT)
    line.add(1, 18, 18, EVENT)
    expect(eventsIn(line, 18, 19, 20, 21)).toEqual([2, 1, 1, 0])
  })
})

describe('a key', () => {
  test('is gone when its last window is passed, and heard of once', () => {
    const line = new Differences()
    line.add(1, 10, 20, EVENT)
    line.add(2, 10, 25, EVENT)
    expect([gone(line, 19), gone(line, 20), [...line.keys()]]).toEqual([[], [1], [2]])
    expect([gone(line, 24), gone(line, 99), gone(line, 100), [...line.keys()]]).toEqual([[], [2], [], []])
  })

  test('is not gone in a gap between its windows', () => {
    const line = new Differences()
    line.add(1, 10, 20, EVENT)
    line.add(1, 30, 40, EVENT)
    expect([gone(line, 25), eventsIn(line, 26, 30)]).toEqual([[], [0, 1]])
    expect(gone(line, 40)).toEqual([1])
  })

  test('that comes again begins anew', () => {
    const line = new Differences()
    line.add(1, 10, 20, EVENT)
    gone(line, 20)
    line.add(1, 21, 22, EVENT)
    expect([eventsIn(line, 21, 23), gone(line, 22)]).toEqual([[1, 0], [1]])
  })

  test('is none by what is added to windows that are passed already, up to the last of them', () => {
    const line = new Differences()
    for (const passed of [4, 5]) {
      gone(line, passed)
      line.add(1, passed, passed, EVENT)
      expect([...line.keys()]).toEqual([])
    }
    line.add(1, 5, 6, EVENT)
    expect([[...line.keys()], eventsIn(line, 6, 7)]).toEqual([[1], [1, 0]])
  })

  test('leaves nothing behind: a steady stream does not grow it', () => {
    const line = new Differences()
    const sizes: number[] = []
    for (let i = 0; i < 500; i++) {
      line.add(i, i, i + 9, EVENT)
      line.pass(i - 10, () => {})
      sizes.push(line.bytes)
    }
    expect(sizes.at(-1)).toBe(sizes[50])
  })
})

import { describe, expect, test } from 'vitest'
import { KeyedWindow } from '../../../../server/engine/windows/keyedWindow'
import { keysIn } from '../aggregate/keysIn'

const hashOf = (i: number) =>
  Int32Array.from([Math.imul(i + 1, 0x9e3779b1), Math.imul(i + 7, 0x85ebca6b), i, i])

/** A window that fired, with so many rows. */
function windowOf(rows: number): KeyedWindow {
  const of = { view: 'v', version: 1 }
  const window = new KeyedWindow({ of, start: 0, end: 60_000, windowId: 0, ordinal: 1, lateness: 0 })
  const keys = keysIn(
    ['shop'],
    Array.from({ length: rows }, (_, i) => ({ dims: { shop: `s${i}` } })),
  )
  for (let row = 0; row < rows; row++) {
    keys.look(row)
    window.rowFor(keys, row, rows)
  }
  window.fired = true
  return window
}

function count(window: KeyedWindow, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    window.addOrderId(0, hashOf(i), 0)
    window.addBuyer(0, hashOf(i * 3), 0)
  }
}

describe('the sketches of a row', () => {
  test('that were asked for before its last events are those of all of them', () => {
    const [asked, fresh] = [windowOf(1), windowOf(1)]
    count(asked, 0, 50)
    const before = asked.row(0).sketches
    count(asked, 50, 400)
    count(fresh, 0, 400)
    expect(asked.row(0).sketches).toEqual(fresh.row(0).sketches)
    expect(asked.row(0).sketches?.orders).not.toEqual(before?.orders)
    expect(asked.row(0).sketches?.buyers).not.toEqual(before?.buyers)
  })

  test('are left out in a window of more than 4,096 rows', () => {
    expect([windowOf(4_096), windowOf(4_097)].map((window) => window.row(7).sketches === null)).toEqual([
      false,
      true,
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { toUnits } from '../../../../server/contracts/money'
import { keyParts } from '../../../../server/engine/aggregate/batchKeys'
import { Session } from '../../../../server/engine/windows/session'

const of = { view: 's', version: 1 }

function session(ordinal: number, start: number, end: number, lateness = 0): Session {
  return new Session({ of, start, end, windowId: ordinal, ordinal, lateness }, keyParts('USD', ['x']), 1)
}

/** Counts an order of so many units by its id and its buyer's. */
function order(session: Session, id: number, user: number, units = 1): void {
  session.cells.addEvent(0)
  session.cells.addOrder(0, 0, units)
  session.addOrderId(Int32Array.of(id, 0, 0, 0), 0)
  session.addBuyer(Int32Array.of(user, 0, 0, 0), 0)
}

const counts = (session: Session) => {
  const { orders, buyers, events, gross } = session.row(0).values
  return [orders, buyers, events, toUnits(gross)]
}

describe('a session', () => {
  test('is a window of one row, of its key', () => {
    const one = session(7, 0, 100)
    expect([one.row(0).key.text, one.cells.count, one.row(0).sketches]).toEqual(['["USD","x"]', 1, null])
    one.fired = true
    expect(one.row(0).sketches).toBeNull()
  })

  test('counts an order and a buyer once, and tells the two apart', () => {
    const one = session(1, 0, 100)
    order(one, 5, 5)
    order(one, 5, 6)
    expect(counts(one)).toEqual([1, 2, 2, 2n])
  })

  test('is published from when it fires, is retracted, or replaces one that was', () => {
    const marks = ['fired', 'superseded', 'replaces'] as const
    expect(session(1, 0, 100).isPublished()).toBe(false)
    for (const mark of marks) {
      const one = session(1, 0, 100)
      one[mark] = true
      expect(one.isPublished()).toBe(true)
    }
  })
})

describe('a session that takes in another', () => {
  test('counts what both did, ids of both once', () => {
    const [one, other] = [session(1, 0, 100), session(2, 50, 150)]
    order(one, 1, 1, 99_999_999)
    order(one, 2, 1)
    order(other, 2, 1, 99_999_999)
    order(other, 3, 2)
    other.cells.addRefund(0, 1, 5)
    one.takeIn(other)
    expect(counts(one)).toEqual([3, 2, 4, 200_000_000n])
    expect(one.row(0).values.refunds).toEqual({ hi: 1, lo: 5 })
    order(one, 3, 9)
    order(one, 4, 2)
    expect(counts(one)).toEqual([4, 3, 6, 200_000_002n])
  })

  test('keeps the ids of all that it took in, also of those which they had taken in', () => {
    const [one, two, three] = [session(1, 0, 100), session(2, 50, 150), session(3, 90, 190)]
    two.takeIn(three)
    one.takeIn(two)
    expect(one.holders).toEqual([1, 2, 3])
  })

  test('closes by the largest L of them', () => {
    const [one, two] = [session(1, 0, 100, 10), session(2, 50, 150, 500)]
    expect(one.closesAt).toBe(109)
    one.takeIn(two)
    expect(one.closesAt).toBe(599)
    one.takeIn(session(3, 90, 190, 0))
    expect(one.closesAt).toBe(599)
  })
})

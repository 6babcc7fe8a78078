import { describe, expect, test } from 'vitest'
import { deltaNet, NO_VALUES, sameValues, toMeasures } from '../../../../server/engine/aggregate/measures'

const units = (lo: number) => ({ hi: 0, lo })

describe('what goes over the wire', () => {
  test('are decimal strings, zero without a sign, and a net that may be negative', () => {
    const refund = { ...NO_VALUES, refunds: units(1), events: 1 }
    expect(toMeasures(refund)).toEqual({
      gross: '0.0000',
      refunds: '0.0001',
      net: '-0.0001',
      orders: 0,
      buyers: 0,
      events: 1,
    })
    expect(toMeasures({ ...refund, gross: units(1) }).net).toBe('0.0000')
  })

  test('tells exactly what a later value adds, past 2^53 too', () => {
    const before = { ...NO_VALUES, gross: { hi: 1e15, lo: 0 }, refunds: units(5) }
    const after = { ...NO_VALUES, gross: { hi: 1e15, lo: 1 }, refunds: units(7) }
    expect(deltaNet(before, after)).toBe('-0.0001')
  })

  test('is the same only if every measure is', () => {
    const values = { gross: { hi: 1, lo: 2 }, refunds: { hi: 3, lo: 4 }, orders: 5, buyers: 6, events: 7 }
    expect(sameValues(values, structuredClone(values))).toBe(true)
    const others = [
      { gross: { hi: 9, lo: 2 } },
      { gross: { hi: 1, lo: 9 } },
      { refunds: { hi: 9, lo: 4 } },
      { refunds: { hi: 3, lo: 9 } },
      { orders: 9 },
      { buyers: 9 },
      { events: 9 },
    ]
    for (const other of others) expect(sameValues(values, { ...values, ...other })).toBe(false)
  })
})

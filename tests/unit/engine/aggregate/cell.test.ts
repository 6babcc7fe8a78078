import { describe, expect, test } from 'vitest'
import { LIMB, toUnits } from '../../../../server/contracts/money'
import {
  addGross,
  addRefund,
  type Cell,
  newCell,
  toMeasures,
  valuesOf,
} from '../../../../server/engine/aggregate/cell'
import { newWindow } from '../../../../server/engine/windows/windowState'

const cell = (): Cell =>
  newCell(newWindow('m', 1, 0, 1, 1), 0, { text: '["USD"]', currency: 'USD', dims: [] })

describe('the running totals of a row', () => {
  test('stay exact where the low limb would pass 2^53: 10^7 events of the largest amount', () => {
    const c = cell()
    const many = 10 ** 7 - 1
    c.grossHi = c.refundsHi = many * (LIMB - 1)
    // What the low limb holds just before it is carried over.
    c.grossLo = c.refundsLo = 2 ** 52 - 1
    const before = toUnits(valuesOf(c).gross)
    for (let i = 1n; i <= 3n; i++) {
      addGross(c, LIMB - 1, LIMB - 1)
      addRefund(c, LIMB - 1, LIMB - 1)
      expect(toUnits(valuesOf(c).gross)).toBe(before + i * (10n ** 16n - 1n))
      expect(toUnits(valuesOf(c).refunds)).toBe(before + i * (10n ** 16n - 1n))
    }
    expect([c.grossLo < 2 ** 52, c.refundsLo < 2 ** 52]).toEqual([true, true])
  })

  test('go over the wire as decimal strings, zero without a sign', () => {
    const c = cell()
    addRefund(c, 0, 1)
    expect(toMeasures(valuesOf(c))).toMatchObject({ gross: '0.0000', refunds: '0.0001', net: '-0.0001' })
    addGross(c, 0, 1)
    expect(toMeasures(valuesOf(c)).net).toBe('0.0000')
  })
})

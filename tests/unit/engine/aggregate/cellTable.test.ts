import { describe, expect, test } from 'vitest'
import { LIMB, toUnits } from '../../../../server/contracts/money'
import { CellTable, MEASURES, valuesAt } from '../../../../server/engine/aggregate/cellTable'
import { NO_VALUES } from '../../../../server/engine/aggregate/measures'

const LARGEST = 10n ** 16n - 1n

/** A table with one row of zeros. */
function oneRow(): CellTable {
  const table = new CellTable()
  table.add()
  return table
}

describe('the running totals of rows', () => {
  test('begin at zero, also in a row for which the table had to grow', () => {
    const table = new CellTable()
    for (let i = 0; i < 100; i++) {
      expect(table.add()).toBe(i)
      table.addOrder(i, 1, i)
      table.addEvent(i)
      expect([table.revision(i), table.firedAt(i), table.published(i)]).toEqual([0, null, null])
    }
    expect(table.add()).toBe(100)
    expect([table.count, table.values(100)]).toEqual([101, NO_VALUES])
    for (let i = 0; i < 100; i++) {
      expect(table.values(i)).toEqual({ ...NO_VALUES, gross: { hi: 1, lo: i }, events: 1 })
    }
  })

  test('count each measure by itself', () => {
    const table = oneRow()
    table.addOrder(0, 0, 5)
    table.addRefund(0, 0, 3)
    for (let i = 0; i < 2; i++) table.addOrderId(0)
    for (let i = 0; i < 3; i++) table.addBuyer(0)
    for (let i = 0; i < 4; i++) table.addEvent(0)
    const money = { gross: { hi: 0, lo: 5 }, refunds: { hi: 0, lo: 3 } }
    expect(table.values(0)).toEqual({ ...money, orders: 2, buyers: 3, events: 4 })
  })

  test('stay exact where the low limb would pass 2^53: 10^7 events of the largest amount', () => {
    const table = oneRow()
    const held = { hi: (10 ** 7 - 1) * (LIMB - 1), lo: 2 ** 52 - 1 }
    table.setValues(0, { ...NO_VALUES, gross: held, refunds: held })
    const before = toUnits(held)
    for (let i = 1n; i <= 3n; i++) {
      table.addOrder(0, LIMB - 1, LIMB - 1)
      table.addRefund(0, LIMB - 1, LIMB - 1)
      const { gross, refunds } = table.values(0)
      expect([toUnits(gross), toUnits(refunds)]).toEqual([before + i * LARGEST, before + i * LARGEST])
      // Carried over once it has grown that far, long before it could lose a unit.
      expect(table.save().cells.every((limb) => Number.isSafeInteger(limb))).toBe(true)
      expect([table.save().cells[1], table.save().cells[3]].every((low = 0) => low < 2 ** 52)).toBe(true)
    }
  })

  test('are listed once a record', () => {
    const table = oneRow()
    table.add()
    expect([1, 1, 2, 1].map((position) => table.touch(0, position))).toEqual([true, false, true, true])
    expect(table.touch(1, 1)).toBe(true)
  })
})

/** Publishes a row; the values before and after it as the table tells them. */
function publish(table: CellTable, i: number, at: number) {
  const numbers = new Float64Array(MEASURES * 2)
  const revision = table.publish(i, at, numbers, 0, MEASURES)
  return { revision, before: valuesAt(numbers, 0), after: valuesAt(numbers, MEASURES) }
}

describe('what a row published', () => {
  test('stands apart from its running totals, with the time of the first publication', () => {
    const table = oneRow()
    table.addOrder(0, 0, 7)
    expect(publish(table, 0, 1_000)).toMatchObject({
      revision: 1,
      before: NO_VALUES,
      after: { gross: { lo: 7 } },
    })
    table.addOrder(0, 0, 1)
    expect(table.published(0)?.gross).toEqual({ hi: 0, lo: 7 })
    expect(publish(table, 0, 2_000)).toMatchObject({
      revision: 2,
      before: { gross: { lo: 7 } },
      after: { gross: { lo: 8 } },
    })
    expect([table.revision(0), table.firedAt(0)]).toEqual([2, 1_000])
    expect(table.published(0)).toEqual(table.values(0))
  })

  test('is nothing for the rows beside it that did not', () => {
    const table = oneRow()
    table.add()
    publish(table, 0, 0)
    expect([table.published(1), table.firedAt(1), table.revision(1)]).toEqual([null, null, 0])
    expect(table.firedAt(0)).toBe(0)
  })

  test('is kept while the table grows', () => {
    const table = oneRow()
    for (let i = 0; i < 50; i++) {
      if (i > 0) table.add()
      for (let n = 0; n < i; n++) table.addOrderId(i)
      publish(table, i, i)
    }
    for (let i = 0; i < 50; i++) expect(table.published(i)?.orders).toBe(i)
  })

  test('takes no memory before a window fires', () => {
    const table = oneRow()
    const { bytes } = table
    publish(table, 0, 1)
    expect([bytes, table.bytes > bytes]).toEqual([80, true])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromUnits, LIMB, toUnits } from '../../../../server/contracts/money'
import { CellTable, MEASURES, valuesAt } from '../../../../server/engine/aggregate/cellTable'
import { NO_VALUES } from '../../../../server/engine/aggregate/measures'

const units = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 16n - 1n }),
  fc.constantFrom(0n, 1n, 99_999_999n, 100_000_000n),
)
const row = fc.nat(40)
/** A low limb as it may stand just before it is carried over. */
const held = fc.tuple(fc.nat(2 ** 30), fc.integer({ min: 2 ** 52 - 2 * LIMB, max: 2 ** 52 - 1 }))
const move = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'add' } as const) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constantFrom('order', 'refund'), row, units }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('event', 'orderId', 'buyer'), row }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set'), row, held }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('publish'), row, at: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restore' } as const) },
)

/** A row in exact numbers. */
interface Exact {
  gross: bigint
  refunds: bigint
  orders: number
  buyers: number
  events: number
  published: Omit<Exact, 'published' | 'firedAt' | 'revision'> | null
  firedAt: number | null
  revision: number
}

const nothing = () => ({ gross: 0n, refunds: 0n, orders: 0, buyers: 0, events: 0 })
const newRow = (): Exact => ({ ...nothing(), published: null, firedAt: null, revision: 0 })

function exactly(values: ReturnType<CellTable['values']> | null) {
  return values && { ...values, gross: toUnits(values.gross), refunds: toUnits(values.refunds) }
}

/** Does a move to both. */
function apply(table: CellTable, i: number, exact: Exact, move: { kind: string; units?: bigint }): void {
  const { units = 0n } = move
  const amount = fromUnits(units)
  switch (move.kind) {
    case 'order':
      table.addOrder(i, amount.hi, amount.lo)
      exact.gross += units
      break
    case 'refund':
      table.addRefund(i, amount.hi, amount.lo)
      exact.refunds += units
      break
    case 'event':
      table.addEvent(i)
      exact.events++
      break
    case 'orderId':
      table.addOrderId(i)
      exact.orders++
      break
    case 'buyer':
      table.addBuyer(i)
      exact.buyers++
  }
}

function set(table: CellTable, i: number, exact: Exact, [hi, lo]: readonly [number, number]): void {
  table.setValues(i, { ...NO_VALUES, gross: { hi, lo }, refunds: { hi: lo % LIMB, lo: hi } })
  const [gross, refunds] = [toUnits({ hi, lo }), toUnits({ hi: lo % LIMB, lo: hi })]
  Object.assign(exact, nothing(), { gross, refunds })
}

function publish(table: CellTable, i: number, exact: Exact, at: number): void {
  const { gross, refunds, orders, buyers, events } = exact
  exact.published = { gross, refunds, orders, buyers, events }
  exact.firedAt ??= at
  exact.revision++
  const before = table.published(i)
  const numbers = new Float64Array(MEASURES * 2)
  expect(table.publish(i, at, numbers, 0, MEASURES)).toBe(exact.revision)
  if (before) expect(exactly(valuesAt(numbers, 0))).toEqual(exactly(before))
  expect(exactly(valuesAt(numbers, MEASURES))).toEqual(exact.published)
}

describe('the rows of a window', () => {
  test('equal exact sums, as they stand and as last published, through carries, growth and restarts', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 300, size: 'max' }), (moves) => {
        let table = new CellTable()
        const rows: Exact[] = []
        for (const m of moves) {
          if (m.kind === 'restore') table = CellTable.restore(structuredClone(table.save()))
          if (m.kind === 'add' || rows.length === 0) expect(table.add()).toBe(rows.push(newRow()) - 1)
          const i = 'row' in m ? m.row % rows.length : 0
          const exact = rows[i]
          if (!exact) continue
          if ('held' in m) set(table, i, exact, m.held)
          else if ('at' in m) publish(table, i, exact, m.at)
          else apply(table, i, exact, m)
        }
        rows.forEach(({ published, firedAt, revision, ...now }, i) => {
          expect(exactly(table.values(i))).toEqual(now)
          expect(exactly(table.published(i))).toEqual(published)
          expect([table.firedAt(i), table.revision(i)]).toEqual([firedAt, revision])
        })
        expect(table.count).toBe(rows.length)
        expect(table.save().cells.every((limb) => Number.isSafeInteger(limb))).toBe(true)
      }),
    )
  })
})

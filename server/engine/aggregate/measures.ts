import { subtract, toDecimal, ZERO } from '../../contracts/money'
import type { Measures } from '../../contracts/windowRow'
import type { MeasureValues } from '../row'

export const NO_VALUES: MeasureValues = Object.freeze({
  gross: ZERO,
  refunds: ZERO,
  orders: 0,
  buyers: 0,
  events: 0,
})

/** Values as they go over every wire. */
export function toMeasures(values: MeasureValues): Measures {
  return {
    gross: toDecimal(values.gross),
    refunds: toDecimal(values.refunds),
    net: toDecimal(subtract(values.gross, values.refunds)),
    orders: values.orders,
    buyers: values.buyers,
    events: values.events,
  }
}

export function sameValues(a: MeasureValues, b: MeasureValues): boolean {
  return (
    a.events === b.events &&
    a.orders === b.orders &&
    a.buyers === b.buyers &&
    a.gross.hi === b.gross.hi &&
    a.gross.lo === b.gross.lo &&
    a.refunds.hi === b.refunds.hi &&
    a.refunds.lo === b.refunds.lo
  )
}

/** What a later value adds to an earlier one: `after.net - before.net`, decimal string. */
export function deltaNet(before: MeasureValues | null, after: MeasureValues): string {
  const now = subtract(after.gross, after.refunds)
  return toDecimal(before ? subtract(now, subtract(before.gross, before.refunds)) : now)
}

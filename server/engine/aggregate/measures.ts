import { isZero, subtract, toDecimal, ZERO } from '../../contracts/money'
import type { Measures } from '../../contracts/windowRow'
import type { MeasureValues } from '../row'

export const NO_VALUES: MeasureValues = Object.freeze({
  gross: ZERO,
  refunds: ZERO,
  orders: 0,
  buyers: 0,
  events: 0,
})

const ZERO_DECIMAL = toDecimal(ZERO)

/** Values as they go over every wire. Most rows hold no refund, and their net is their gross. */
export function toMeasures(values: MeasureValues): Measures {
  const gross = toDecimal(values.gross)
  const refunded = !isZero(values.refunds)
  return {
    gross,
    refunds: refunded ? toDecimal(values.refunds) : ZERO_DECIMAL,
    net: refunded ? toDecimal(subtract(values.gross, values.refunds)) : gross,
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
export function deltaNet(before: MeasureValues, after: MeasureValues): string {
  const was = subtract(before.gross, before.refunds)
  return toDecimal(subtract(subtract(after.gross, after.refunds), was))
}

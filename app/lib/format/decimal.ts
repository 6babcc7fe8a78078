import { fromDecimal, toUnits } from '@/server/contracts/money'

/** Places of every amount on the wire (contracts/money.ts). */
const WIRE_PLACES = 4

/** An amount as a whole number of 1/10,000s: all arithmetic on screen happens here, never on floats. */
export function unitsOf(amount: string): bigint {
  return toUnits(fromDecimal(amount))
}

/** 1/10,000s as the decimal string of the wire. */
export function decimalOf(units: bigint): string {
  return place(units, WIRE_PLACES)
}

export function sum(amounts: readonly string[]): string {
  return decimalOf(amounts.reduce((total, amount) => total + unitsOf(amount), 0n))
}

/**
 * amount / count, rounded once, half away from zero, at `places`. Once: rounding to 4 places first and to the
 * currency's 2 after would turn 0.00495 into 0.01. Null when there is nothing to divide by.
 */
export function divide(amount: string, count: number, places: number): string | null {
  if (count === 0) return null
  return place(roundedQuotient(unitsOf(amount) * 10n ** BigInt(places), BigInt(count) * 10_000n), places)
}

/** part / whole in percent with one decimal ("1.9"); null when the whole is zero: never ∞, never NaN. */
export function percentOf(part: bigint, whole: bigint): string | null {
  return whole === 0n ? null : place(roundedQuotient(part * 1_000n, whole), 1)
}

/**
 * A share in percent for counts where the small ones matter: one decimal, two below 1 %, and "<0.01" rather than a
 * zero that is none.
 */
export function shareOf(part: number, whole: number): string | null {
  if (whole === 0) return null
  const hundredths = roundedQuotient(BigInt(part) * 10_000n, BigInt(whole))
  if (hundredths === 0n) return part > 0 ? '<0.01' : '0'
  if (hundredths < 100n) return place(hundredths, 2)
  const tenths = roundedQuotient(BigInt(part) * 1_000n, BigInt(whole))
  // Nearly all is not all: beside "late 4" a share of 100 % would be untrue.
  return tenths === 1_000n && part < whole ? '>99.9' : place(tenths, 1)
}

/** For bar heights only: the one place where an amount becomes a float. */
export function heightOf(amount: string): number {
  return Number(amount)
}

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const top = numerator < 0n ? -numerator : numerator
  const bottom = denominator < 0n ? -denominator : denominator
  const rounded = (2n * top + bottom) / (2n * bottom)
  return negative ? -rounded : rounded
}

function place(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const text = places === 0 ? whole : `${whole}.${digits.slice(-places)}`
  return units < 0n ? `-${text}` : text
}

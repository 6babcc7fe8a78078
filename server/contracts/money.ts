/**
 * Exact money: an integer count of 1/10,000 of a currency unit in two limbs, `hi * 10^8 + lo` with
 * `0 <= lo < 10^8`. Each limb is a double that holds an integer, so sums stay exact far past 2^53 (an amount may
 * have 16 digits) and cost two additions instead of a BigInt each (limits.md: 40 ns against 95). A negative
 * value (a net, a delta) has a negative `hi`. `-0` cannot exist: `normalize` adds a zero.
 */
export interface Money {
  readonly hi: number
  readonly lo: number
}

/** One limb's base, 10^8. */
export const LIMB = 100_000_000
/** Amounts are below 10^12 units: 12 digits before the point, 4 after. */
export const MAX_WHOLE_DIGITS = 12
export const SCALE_DIGITS = 4

export const ZERO: Money = Object.freeze({ hi: 0, lo: 0 })

/** Carries the low limb over; both limbs may be any safe integers on entry. */
export function normalize(hi: number, lo: number): Money {
  const carry = Math.floor(lo / LIMB)
  return { hi: hi + carry + 0, lo: lo - carry * LIMB + 0 }
}

export function add(a: Money, b: Money): Money {
  return normalize(a.hi + b.hi, a.lo + b.lo)
}

export function subtract(a: Money, b: Money): Money {
  return normalize(a.hi - b.hi, a.lo - b.lo)
}

export function isZero(a: Money): boolean {
  return a.hi === 0 && a.lo === 0
}

/** All 1/10,000s as one BigInt; for display and comparison, never on the event path. */
export function toUnits(a: Money): bigint {
  return BigInt(a.hi) * BigInt(LIMB) + BigInt(a.lo)
}

export function fromUnits(units: bigint): Money {
  const base = BigInt(LIMB)
  const lo = ((units % base) + base) % base
  const hi = Number((units - lo) / base)
  if (!Number.isSafeInteger(hi)) throw new RangeError(`beyond what two limbs hold exactly: ${units}`)
  return { hi, lo: Number(lo) }
}

/** High limbs up to here make a whole part that a double holds exactly. */
const FAST_UP_TO = Math.floor(Number.MAX_SAFE_INTEGER / 10 ** SCALE_DIGITS) - 1
const SCALE = 10 ** SCALE_DIGITS

/**
 * The decimal string of every wire: always 4 decimals, `-12.3400`; zero is `0.0000`. Without a BigInt where the value
 * allows it: every row that fires writes a dozen of them.
 */
export function toDecimal(a: Money): string {
  if (a.hi > FAST_UP_TO || a.hi < -FAST_UP_TO) return slowDecimal(a)
  if (a.hi >= 0) return decimalOf(a.hi, a.lo)
  return a.lo === 0 ? `-${decimalOf(-a.hi, 0)}` : `-${decimalOf(-a.hi - 1, LIMB - a.lo)}`
}

/** 10^8 of the smallest units are 10^4 whole ones. */
function decimalOf(hi: number, lo: number): string {
  const whole = Math.floor(lo / SCALE)
  const part = String(lo - whole * SCALE)
  return `${hi * SCALE + whole}.${'0'.repeat(SCALE_DIGITS - part.length)}${part}`
}

function slowDecimal(a: Money): string {
  const units = toUnits(a)
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE_DIGITS + 1, '0')
  const point = digits.length - SCALE_DIGITS
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,4}))?$/

/** Reads what `toDecimal` and NUMERIC(38,4) write. Throws RangeError on anything else: it reads our own data. */
export function fromDecimal(text: string): Money {
  const match = DECIMAL.exec(text)
  if (!match) throw new RangeError(`not a decimal with at most 4 places: ${JSON.stringify(text)}`)
  const units = BigInt(`${match[2]}${(match[3] ?? '').padEnd(SCALE_DIGITS, '0')}`)
  return fromUnits(match[1] === '-' ? -units : units)
}

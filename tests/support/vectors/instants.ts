import { MAX_INSTANT, MIN_INSTANT } from '@/server/contracts/instant'
import { NotOurs } from './notOurs'
import type { Loose } from './schema'

const INT64_MAX = 9_223_372_036_854_775_807n
const INT64_MIN = -9_223_372_036_854_775_808n
/** A mark so high that nothing comes behind it: the end of time of one source among several. */
export const LAST_MARK = Number.MAX_SAFE_INTEGER

/**
 * An instant or a duration of a vector: a number, `MIN`, `MAX`, or a decimal int64. The int64 ends become ±Infinity.
 * Throws NotOurs for what a double does not hold exactly.
 */
export function readInstant(value: unknown, what: string): number {
  if (value === 'MIN') return MIN_INSTANT
  if (value === 'MAX') return MAX_INSTANT
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  const exact = exactly(value)
  if (exact === null) throw new NotOurs(`${what} is no instant: ${JSON.stringify(value)}`)
  // JSON readers round the ends to a power of two.
  if (exact >= INT64_MAX) return MAX_INSTANT
  if (exact <= INT64_MIN) return MIN_INSTANT
  const double = Number(exact)
  if (Number.isSafeInteger(double)) return double
  throw new NotOurs(`${what} is ${exact}: our instants are exact up to 2^53 ms (the year 287396)`)
}

function exactly(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : null
}

/** An instant as a vector writes it. */
export function showInstant(instant: number): number | 'MIN' | 'MAX' {
  if (instant >= LAST_MARK - 1) return 'MAX'
  return instant === MIN_INSTANT ? 'MIN' : instant
}

/** The first of these fields of a config that is there, in ms; undefined when none is. */
export function msOf(config: Loose, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = config[name]
    if (value !== undefined && value !== null) return readInstant(value, name)
  }
  return undefined
}

import { fromDecimal, fromUnits, toDecimal, toUnits } from '@/server/contracts/money'
import type { Measures } from '@/server/contracts/windowRow'
import { NotOurs } from './notOurs'
import type { Element } from './steps'

/**
 * How an aggregate that we may not have is read off the measures that we have. A row's content is one integer; contents
 * are subtracted to tell what a firing added.
 */
export interface Coding {
  /** What the event of an element carries. */
  amountOf(element: Element): { readonly amount: string; readonly refund: boolean }
  contentOf(measures: Measures): bigint
  /** The aggregate as a vector writes it. */
  show(content: bigint): unknown
}

/** Bits that an amount below 10^12 with 4 decimals holds. */
const BITS = 53
const DECIMAL = /^-?\d{1,12}(\.\d{1,4})?$/

const sum: Coding = {
  amountOf({ value }) {
    const text = String(value)
    if (!DECIMAL.test(text)) {
      throw new NotOurs(`the value ${text} is no amount: below 10^12, with at most 4 decimals`)
    }
    return { amount: text.replace('-', ''), refund: text.startsWith('-') }
  },
  contentOf: ({ net }) => toUnits(fromDecimal(net)),
  show: (content) => numberOrText(toDecimal(fromUnits(content)).replace(/\.?0+$/, '')),
}

/** A number where a double holds it, for people to read. */
function numberOrText(text: string): number | string {
  return String(Number(text)) === text ? Number(text) : text
}

const count: Coding = {
  amountOf: () => ({ amount: '1', refund: false }),
  contentOf: ({ events }) => BigInt(events),
  show: Number,
}

/**
 * Element i is an order of 2^i ten-thousandths (from the 54th on a refund), so that the sums of a row say exactly
 * which elements the engine counted in it, and any aggregate of them follows.
 */
function members(elements: readonly Element[], aggregate: (counted: readonly Element[]) => unknown): Coding {
  if (elements.length > 2 * BITS) {
    throw new NotOurs(`${elements.length} elements: we tell at most ${2 * BITS} apart by our measures`)
  }
  return {
    amountOf: ({ ordinal }) => ({
      amount: toDecimal(fromUnits(1n << BigInt(ordinal % BITS))),
      refund: ordinal >= BITS,
    }),
    contentOf: ({ gross, refunds }) =>
      toUnits(fromDecimal(gross)) + (toUnits(fromDecimal(refunds)) << BigInt(BITS)),
    show: (content) =>
      aggregate(elements.filter(({ ordinal }) => ((content >> BigInt(ordinal)) & 1n) === 1n)),
  }
}

const numbers = (values: readonly unknown[]) => values.map(Number)

const AGGREGATES: Readonly<Record<string, (values: readonly unknown[]) => unknown>> = {
  list: (values) => values,
  max: (values) => Math.max(...numbers(values)),
  min: (values) => Math.min(...numbers(values)),
}

/** How the values of a vector with this aggregate are fed and read. Throws NotOurs for one that cannot be derived. */
export function codingOf(aggregate: unknown, elements: readonly Element[]): Coding {
  if (aggregate === 'sum') return sum
  if (aggregate === 'count') return count
  if (aggregate === 'members') return members(elements, (counted) => counted.map(({ ordinal }) => ordinal))
  const derived = typeof aggregate === 'string' ? AGGREGATES[aggregate] : undefined
  if (!derived)
    throw new NotOurs(`the aggregate ${JSON.stringify(aggregate)} does not follow from our measures`)
  return members(elements, (counted) => derived(counted.map(({ value }) => value)))
}

import { LIMITS } from '../contracts/limits'
import { Flaw } from './flaw'

/** A character takes at most 6 bytes of JSON (`\u001f`); what stands around a value at most 4; a number 25. */
const CHAR = 6
const AROUND = 4
const NUMBER = 25
/** Charged per nested value, so that the walk below goes at most 256 levels deep. */
const NESTED = 64

/**
 * An event is at most 16 KiB as compact JSON in UTF-8 (design.md §3). Writing each event out to learn its size would
 * cost more than all other checks; a bound from above settles all but the large ones.
 */
export function checkSize(event: object): Flaw | null {
  if (budgetLeft(event, LIMITS.eventBytes) > 0) return null
  const size = compactSize(event)
  if (size !== null && size <= LIMITS.eventBytes) return null
  return new Flaw(
    'too_long',
    null,
    size === null
      ? 'the event is nested too deeply to be read: send the flat fields of an order'
      : `the event has ${size} bytes; at most ${LIMITS.eventBytes} are taken: leave out what Tidemark does not need`,
  )
}

/** What is left of `budget` bytes after `value` at its largest; 0 or less means it may not fit. */
function budgetLeft(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length * CHAR - AROUND
  if (typeof value !== 'object' || value === null) return budget - NUMBER
  let left = budget - NESTED
  if (left <= 0) return left
  for (const key in value) {
    left = budgetLeft((value as Record<string, unknown>)[key], left - key.length * CHAR - AROUND)
    if (left <= 0) return left
  }
  return left
}

/** Null when it cannot be written at all: deeper than the stack (JSON.parse has no such limit, stringify does). */
function compactSize(event: object): number | null {
  try {
    return Buffer.byteLength(JSON.stringify(event) ?? '')
  } catch {
    return null
  }
}

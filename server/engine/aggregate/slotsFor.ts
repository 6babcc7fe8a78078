/** A table is not made larger than this ahead of time: a guess may be wrong. */
const MOST_AHEAD = 1 << 18

/** Slots of a table that is expected to need `wanted` of them: a power of two, at least `least`. */
export function slotsFor(wanted: number, least: number): number {
  let slots = least
  while (slots < wanted && slots < MOST_AHEAD) slots *= 2
  return slots
}

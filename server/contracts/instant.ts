/**
 * An instant: integer milliseconds since the Unix epoch. The two ends are ±Infinity, so that arithmetic on them
 * saturates by itself (semantics.md, preamble; field case 10): MIN - B - 1 is MIN, never the far future.
 */
export type Instant = number

/** "No watermark yet": earlier than every instant. */
export const MIN_INSTANT: Instant = Number.NEGATIVE_INFINITY
/** The end of time: later than every instant. Every window has fired and closed there. */
export const MAX_INSTANT: Instant = Number.POSITIVE_INFINITY

/** An instant for a wire that has no infinities (JSON, BIGINT): both ends become null. */
export function finiteOrNull(instant: Instant): number | null {
  return Number.isFinite(instant) ? instant : null
}

import type { JournalClock } from './port'

/** The two clocks of a machine: the wall's, which people and daemons set, and one that only runs on. Both in ms. */
export interface MachineClocks {
  readonly wall: () => number
  readonly monotonic: () => number
}

/**
 * Journal time (semantics.md §1): the wall clock, but never back. While the wall clock is behind the last journal
 * time (set back, or a failover to a machine whose clock is behind), journal time runs on at half the monotonic
 * rate, so that the wall clock catches up and timers do not stand still.
 */
export function createJournalClock(clocks: MachineClocks, last: number): JournalClock {
  let time = last
  let readAt = clocks.monotonic()
  return () => {
    const wall = clocks.wall()
    const now = clocks.monotonic()
    time = wall >= time ? wall : time + (now - readAt) / 2
    readAt = now
    return Math.floor(time)
  }
}

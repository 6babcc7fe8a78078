import { describe, expect, it } from 'vitest'
import { createJournalClock } from '@/server/journal/clock'

describe('journal time', () => {
  const machine = { now: 0, offset: 0 }
  const clocks = { wall: () => machine.now + machine.offset, monotonic: () => machine.now }

  it('follows the wall clock, and never goes back when that is set back', () => {
    machine.now = 1_000
    machine.offset = 0
    const clock = createJournalClock(clocks, 0)
    expect(clock()).toBe(1_000)
    machine.offset = -600
    machine.now = 1_100
    // Behind: half the monotonic rate, 50 of 100 ms.
    expect(clock()).toBe(1_050)
    machine.now = 1_300
    expect(clock()).toBe(1_150)
    machine.now = 2_300
    // The wall clock (1,700) has caught up with 1,650.
    expect(clock()).toBe(1_700)
  })

  it('goes on from the last journal time when the machine starts behind it', () => {
    machine.now = 0
    machine.offset = 0
    const clock = createJournalClock(clocks, 5_000)
    expect(clock()).toBe(5_000)
    machine.now = 10
    expect(clock()).toBe(5_005)
  })
})

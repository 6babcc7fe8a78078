import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import { OutageBracket } from '@/server/journal/outageBracket'

const tick = (at: number): JournalEntry => ({ kind: 'tick', at })
const ticks = (...at: number[]) => at.map(tick)

/** An outage under which these were tried, and `waiting` entries came. */
function outageAfter(tried: number[], waiting = 0) {
  const outage = new OutageBracket(100)
  expect(outage.lead(ticks(...tried))).toBeNull()
  outage.failed(0)
  outage.failed(waiting)
  outage.recovered()
  return outage
}

describe('an outage of the database', () => {
  it('is bracketed once, from the last entry that is durable to the first one afterwards', () => {
    const outage = outageAfter([200, 210])
    expect(outage.most).toBe(Number.POSITIVE_INFINITY)
    expect(outage.lead(ticks(900, 901))).toEqual({ kind: 'resumed', at: 900, pausedAt: 210 })
    expect(outage.lead(ticks(902))).toBeNull()
    outage.recovered()
    expect(outage.lead(ticks(903))).toBeNull()
  })

  it('without one there is no bracket', () => {
    const outage = new OutageBracket(100)
    outage.recovered()
    expect(outage.most).toBe(Number.POSITIVE_INFINITY)
    expect(outage.lead(ticks(150))).toBeNull()
  })

  it('what came while it lasted does not end it: such entries stand by themselves behind `paused`', () => {
    const outage = outageAfter([200], 3)
    expect(outage.most).toBe(3)
    expect(outage.lead(ticks(201, 202))).toEqual({ kind: 'paused', at: 200 })
    outage.recovered()
    expect(outage.most).toBe(1)
    expect(outage.lead(ticks(203))).toBeNull()
    expect(outage.most).toBe(Number.POSITIVE_INFINITY)
    expect(outage.lead(ticks(900))).toEqual({ kind: 'resumed', at: 900, pausedAt: 200 })
    expect(outage.lead(ticks(901))).toBeNull()
  })

  it('that comes again before the bracket was ended makes it longer', () => {
    const outage = outageAfter([200], 1)
    outage.lead(ticks(201))
    outage.failed(1)
    outage.recovered()
    expect(outage.lead(ticks(500))).toBeNull()
    expect(outage.lead(ticks(900))).toEqual({ kind: 'resumed', at: 900, pausedAt: 200 })
  })

  it('that goes on under a group that ended the bracket is covered by another one, without a gap', () => {
    const outage = outageAfter([200])
    expect(outage.lead(ticks(500))).toMatchObject({ at: 500 })
    outage.failed(0)
    outage.recovered()
    expect(outage.lead(ticks(900))).toEqual({ kind: 'resumed', at: 900, pausedAt: 500 })
  })

  it('within a time that is bracketed already needs no bracket, which would end the other too early', () => {
    const outage = new OutageBracket(100)
    outage.lead([{ kind: 'paused', at: 200 }])
    outage.failed(0)
    outage.recovered()
    expect(outage.lead(ticks(900))).toBeNull()
    outage.lead([{ kind: 'resumed', at: 950, pausedAt: 200 }])
    outage.failed(0)
    outage.recovered()
    expect(outage.lead(ticks(999))).toMatchObject({ kind: 'resumed', pausedAt: 950 })
  })

  it('under the first record of all ends where the second one comes', () => {
    const outage = new OutageBracket(null)
    outage.lead(ticks(50))
    outage.failed(0)
    outage.recovered()
    expect(outage.lead(ticks(900))).toMatchObject({ kind: 'resumed', pausedAt: 50 })
  })
})

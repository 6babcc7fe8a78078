import { describe, expect, it } from 'vitest'
import type { JournalEntry, JournalRecord } from '@/server/contracts/journalRecord'
import { initialState } from '@/server/engine/state'
import { step } from '@/server/engine/step'
import { FlushBuffer, OPEN_TOTALS_EVERY } from '@/server/runner/flushBuffer'
import { minuteSpec, orders } from '@/tests/support/pipeline'

function setUp() {
  const state = initialState()
  const buffer = new FlushBuffer()
  let position = 0
  const fold = (entry: JournalEntry) => {
    const record: JournalRecord = { ...entry, position: ++position }
    buffer.add(record, step(state, record))
  }
  fold({ kind: 'spec', at: 1, spec: minuteSpec })
  return { fold, take: (now: number) => buffer.take(state, 0, now), buffer }
}

describe('flush buffer', () => {
  it('shows running totals with every flush and writes them once a second', () => {
    const { fold, take } = setUp()
    fold(orders(1_000, 1_000))
    expect(take(10_000).flush.rows).toHaveLength(2)
    fold(orders(1_100, 1_100))
    const soon = take(10_000 + OPEN_TOTALS_EVERY - 1)
    expect(soon.flush.rows).toHaveLength(0)
    expect(soon.shown).toMatchObject([{ gross: '20.0000' }, { gross: '20.0000' }])
    const later = take(10_000 + OPEN_TOTALS_EVERY)
    expect(later.flush.rows).toMatchObject([{ gross: '20.0000' }, { gross: '20.0000' }])
  })

  it('writes published rows at once, whatever the second', () => {
    const { fold, take } = setUp()
    take(10_000)
    fold(orders(1_000, 1_000))
    fold(orders(70_000, 66_000))
    const { flush } = take(10_001)
    expect(flush.rows.map((r) => r.status)).toEqual(['fired', 'fired'])
    expect(flush.revisions).toHaveLength(2)
  })

  it('an id that comes late several times is one late event with a count', () => {
    const { fold, take } = setUp()
    fold(orders(200_000, 200_000))
    const late = orders(200_001, 1_000)
    fold(late)
    fold(late)
    expect(take(1).flush.late).toMatchObject([
      { eventId: '200001-0', seen: 2, windowStart: 0, amount: '10.0000' },
    ])
  })

  it('a window that fires and closes within one flush is written closed', () => {
    const { fold, take } = setUp()
    fold(orders(1_000, 1_000))
    fold(orders(900_000, 900_000))
    const { flush } = take(1)
    expect(flush.closed).toEqual([
      { view: 'by_region', version: 1, start: 0 },
      { view: 'total', version: 1, start: 0 },
    ])
    expect(flush.rows.filter((r) => r.start === 0).map((r) => r.status)).toEqual(['closed', 'closed'])
  })
})

import { describe, expect, it } from 'vitest'
import { prepareMinutes } from '@/app/features/minuteChart/prepare'
import { changesUntil, whatFollows } from '@/app/features/minuteChart/whatFollows'
import type { WindowRow } from '@/server/contracts/windowRow'
import { at, NOW, plain, row, source, status } from '../../builders'

function minute(over: Partial<WindowRow> | null) {
  const rows = over ? [row(over)] : []
  const minutes = prepareMinutes({ rows, corrections: [], currency: 'CNY', now: NOW, minutes: 5 })
  const found = minutes.find(({ start }) => start === at(14, 20))
  if (!found) throw new Error('no such minute')
  return found
}

const holder = source('pos-3', { holdsBack: true })
const standing = status([source('pos-1'), holder], {
  watermark: at(14, 20, 30) - 1,
  allowedLateness: 600_000,
})
const OPEN = { status: 'open', revision: 0 } as const
const said = (over: Partial<WindowRow> | null, now = standing) => plain(whatFollows(minute(over), now) ?? '-')

describe('18. "it hangs for a day": what a minute waits for is said', () => {
  it('an open one: the watermark that completes it, where that stands, and who decides it', () => {
    expect(said(OPEN)).toBe(
      'Complete when the watermark reaches 14:21:00; it is at 14:20:30, the time of pos-3.',
    )
    expect(said(OPEN, status([], { watermark: null }))).toMatch(/reaches 14:21:00; there is none yet\.$/)
    const idle = { ...standing, sources: [source('pos-1', { state: 'idle' })] }
    expect(said(OPEN, idle)).toMatch(/at 14:20:30, and every source is idle\.$/)
    const alone = { ...standing, sources: [holder] }
    expect(said(OPEN, alone)).toMatch(/at 14:20:30\.$/)
  })

  it('a complete one: until when late orders change it, and by which setting; one closed for silence too', () => {
    const text =
      'Orders that still come change it until the watermark reaches 14:31:00 (allowed lateness 10 min).'
    expect(said({ status: 'fired' })).toBe(text)
    expect(said({ status: 'fired', byInactivity: true })).toBe(text)
  })

  it('an instant of another day has its day: a lateness of days, a watermark that is held since yesterday', () => {
    const days = { ...standing, allowedLateness: 2 * 86_400_000 }
    expect(said({ status: 'fired' }, days)).toMatch(/reaches 3 Dec, 14:21:00 \(allowed lateness 2 d\)\.$/)
    expect(changesUntil(minute({ status: 'fired' }), days)).toBe('3 Dec, 14:21:00')
    const held = { ...standing, watermark: at(14, 20) - 86_400_000 - 1 }
    expect(said(OPEN, held)).toMatch(/reaches 14:21:00; it is at 30 Nov, 14:20:00, the time of pos-3\.$/)
  })

  it('a closed one is final, a gap waits for nothing', () => {
    expect(said({ status: 'closed' })).toBe('Final: a later order goes to the late store.')
    expect(said(null)).toBe('-')
  })

  it('the table says the same in a cell', () => {
    const cells = [OPEN, { status: 'fired' }, { status: 'closed' }, null] as const
    expect(cells.map((over) => changesUntil(minute(over), standing))).toEqual([
      '14:31:00',
      '14:31:00',
      'final',
      '',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { prepareSources } from '@/app/features/sources/prepare'
import type { SourceStatus } from '@/server/contracts/status'
import { at, NOW, plain, silent, source, status } from '../../builders'

const line = (s: SourceStatus) => {
  const [first] = prepareSources(status([s]), NOW)
  if (!first) throw new Error('no line')
  return first
}

describe('the table of sources', () => {
  it('a source that never spoke says never, nowhere NaN (field case 45)', () => {
    const never = line(silent('pos-2'))
    expect([never.watermark, never.behind, never.newest, never.lastRecord].map((c) => c.text)).toEqual([
      'never',
      'never',
      'never',
      'never',
    ])
    expect(never.state.text).toBe('never spoke')
    expect(never.shares).toBe('n/a')
    expect(never.idleAt).toBe('idleness is off')
    expect(JSON.stringify(never)).not.toContain('NaN')
  })

  it('an active source shows how far it is and when it would be idle', () => {
    const active = line(source('pos-1'))
    expect(active.watermark.text).toBe('14:24:05')
    expect(plain(active.behind.text)).toBe('7 s')
    expect(active.idleAt).toBe('idle at 14:25:11')
  })

  it('a silent one that is not idle yet is called quiet', () => {
    const quiet = line(source('pos-1', { lastRecordAt: NOW - 252_000 }))
    expect(quiet.tone).toBe('quiet')
    expect(plain(quiet.state.text)).toBe('quiet for 4 min 12 s')
  })

  it('an idle one says since when, counted from the moment it became idle', () => {
    const idle = line(source('pos-1', { state: 'idle', idleAt: at(14, 20), lastRecordAt: at(14, 19) }))
    expect(plain(idle.state.text)).toBe('idle for 4 min 12 s')
    expect(line(silent('x', { state: 'idle' })).state.text).toBe('idle, never spoke')
  })

  it('a source ahead of the clock is ahead, not minus', () => {
    expect(plain(line(source('a', { watermark: NOW + 59_999 })).behind.text)).toBe('ahead by 1 min')
  })

  it('shares are of what was counted or came too late; small ones are not zero', () => {
    const s = line(source('a', { inTime: 53_005, corrected: 310, late: 12 }))
    expect(s.layers.text).toBe('53,005 · 310 · 12')
    expect(s.shares).toBe('99.4 · 0.58 · 0.02 %')
    expect(line(source('a', { inTime: 900_000, corrected: 0, late: 1 })).shares).toBe('>99.9 · 0 · <0.01 %')
  })

  it('the one that holds the others back comes first', () => {
    const names = prepareSources(status([source('a'), source('b', { holdsBack: true })]), NOW).map(
      (l) => l.name,
    )
    expect(names).toEqual(['b', 'a'])
  })

  it('conflicts are told with the duplicates that they are part of', () => {
    expect(line(source('a', { duplicate: 940, conflict: 2 })).duplicates.text).toBe('940 (2 in conflict)')
  })
})

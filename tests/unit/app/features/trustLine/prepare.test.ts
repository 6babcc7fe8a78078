import { describe, expect, it } from 'vitest'
import { prepareTrustLine } from '@/app/features/trustLine/prepare'
import type { Trust } from '@/server/contracts/overview'
import type { PipelineStatus } from '@/server/contracts/status'
import { at, NOW, plain, silent, source, status } from '../../builders'

const CALM: Trust = { correctionsLastHour: [], lateWaiting: [] }
const line = (s: PipelineStatus, trust: Trust | null = CALM, silentFor = 0) => {
  const { alarm, lead, parts, waiting } = prepareTrustLine(s, trust, NOW, silentFor)
  return plain([alarm, lead, ...parts, waiting].filter(Boolean).join(' · '))
}

describe('the trust line', () => {
  it('says complete to, behind and by whom, corrections and late orders in one line', () => {
    const trust = {
      correctionsLastHour: [{ currency: 'CNY', count: 2, amount: '1204.0000' }],
      lateWaiting: [{ currency: 'CNY', count: 14, amount: '3310.5000' }],
    }
    const s = status([source('pos-1'), source('pos-3', { holdsBack: true })], { watermark: NOW - 3_001 })
    expect(line(s, trust)).toBe(
      'Complete to 14:24:09 · 3 s behind (pos-3 is the slowest) · 2 corrections in the last hour, +¥ 1,204.00 · 14 late orders waiting, ¥ 3,310.50',
    )
  })

  it('adds no currencies: each effect stands with its code', () => {
    const correctionsLastHour = [
      { currency: 'CNY', count: 2, amount: '10.0000' },
      { currency: 'JPY', count: 1, amount: '-300.0000' },
    ]
    expect(line(status([source('a')]), { correctionsLastHour, lateWaiting: [] })).toContain(
      '3 corrections in the last hour, +¥ 10.00 CNY and −¥ 300 JPY',
    )
  })

  it('with one source names nobody as the slowest', () => {
    expect(line(status([source('a', { holdsBack: true })]))).toBe(
      'Complete to 14:24:05 · 7 s behind · no corrections in the last hour · no late orders waiting',
    )
  })

  it('complete to is the instant after the watermark: a window [.., 14:24:05) is in it', () => {
    expect(line(status([source('a')], { watermark: at(14, 24, 5) - 1 }))).toContain('Complete to 14:24:05')
    expect(line(status([source('a')], { watermark: at(14, 24, 5) - 2 }))).toContain('Complete to 14:24:04')
  })

  it('without a watermark claims nothing', () => {
    expect(line(status([], { watermark: null }))).toContain(
      'Nothing to count yet · no source has sent an order',
    )
    expect(line(status([silent('pos-2')], { watermark: null }))).toContain(
      'Nothing is complete yet · waiting for pos-2',
    )
  })

  it('a watermark of another day carries its day', () => {
    expect(line(status([source('a')], { watermark: at(14, 0) - 86_400_000 - 1 }))).toContain(
      'Complete to 30 Nov, 14:00:00',
    )
  })

  it('says first what makes every figure doubtful', () => {
    expect(line(status([source('a')], { trouble: 'disk full' }))).toMatch(/^Results are not being written · /)
  })

  it('a stale line gives the ages of the last word, not of a clock that nobody confirmed', () => {
    const s = status([source('a')], { now: NOW - 42_000, watermark: NOW - 45_001 })
    expect(line(s, CALM, 42_000)).toMatch(/^Stale for 42 s · Complete to 14:23:27 · 3 s behind/)
  })

  it('says nothing of corrections and late orders while they are not known', () => {
    expect(line(status([source('a')]), null)).toBe('Complete to 14:24:05 · 7 s behind')
  })

  it('is spoken without seconds, so that a screen reader hears changes only', () => {
    const one = prepareTrustLine(status([source('a')], { watermark: at(14, 24, 5) }), CALM, NOW)
    const two = prepareTrustLine(status([source('a')], { watermark: at(14, 24, 9) }), CALM, NOW)
    expect(one.spoken).toBe(two.spoken)
  })
})

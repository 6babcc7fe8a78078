import { describe, expect, it } from 'vitest'
import {
  type MinuteInput,
  marksThatFit,
  prepareMinutes,
  rangeStart,
} from '@/app/features/minuteChart/prepare'
import { at, NOW, plain, revision, row } from '../../builders'

const minutes = (over: Partial<MinuteInput> = {}) =>
  prepareMinutes({ rows: [], corrections: [], currency: 'CNY', now: NOW, minutes: 5, ...over })
const only = (over: Partial<MinuteInput>) => minutes(over).find((m) => m.start === at(14, 20))

describe('the chart and its grammar of finality', () => {
  it('the range ends with the minute that holds now', () => {
    expect(rangeStart(NOW, 5)).toBe(at(14, 20))
    expect(minutes().map((m) => m.start)).toEqual([20, 21, 22, 23, 24].map((m) => at(14, m)))
  })

  it('a minute without a row is a gap, not a zero', () => {
    expect(only({})).toMatchObject({ finality: 'gap', height: null, word: 'no orders' })
    expect(only({ rows: [row({ net: '0.0000' })] })).toMatchObject({ finality: 'complete', height: 0 })
  })

  it('an open minute is "so far" and never looks complete (field case 56)', () => {
    expect(only({ rows: [row({ status: 'open', revision: 0 })] })).toMatchObject({
      finality: 'open',
      word: 'so far',
      mark: null,
    })
  })

  it('fired and closed are complete', () => {
    for (const status of ['fired', 'closed'] as const) {
      expect(only({ rows: [row({ status })] })).toMatchObject({
        finality: 'complete',
        word: 'complete',
        mark: null,
      })
    }
  })

  it('a corrected minute says by how much and which revision', () => {
    const m = only({
      rows: [row({ revision: 3 })],
      corrections: [revision({ deltaNet: '1200.0000' }), revision({ revision: 3, deltaNet: '4.0000' })],
    })
    expect(m).toMatchObject({ finality: 'corrected', mark: 'rev 3', notch: 1204 })
    expect(plain(m?.word ?? '')).toBe('corrected +¥ 1,204.00')
  })

  it('a correction that is not in the feed any more is still a correction', () => {
    expect(only({ rows: [row({ revision: 2 })] })).toMatchObject({
      finality: 'corrected',
      word: 'corrected',
      notch: 0,
    })
  })

  it('a first event after the firing is a correction with revision 1', () => {
    const m = only({ rows: [row({ revision: 1 })], corrections: [revision({ revision: 1, before: null })] })
    expect(m).toMatchObject({ finality: 'corrected', mark: 'rev 1' })
  })

  it('an on-time revision is not a correction', () => {
    expect(only({ rows: [row()], corrections: [revision({ kind: 'on-time' })] })?.finality).toBe('complete')
  })

  it('a change by hand is told from one by late orders', () => {
    const m = only({ rows: [row({ revision: 2 })], corrections: [revision({ kind: 'reconciled' })] })
    expect(m?.finality).toBe('reconciled')
    expect(m?.word).toContain('reconciled by hand')
  })

  it('names the sources that a complete minute is without', () => {
    expect(only({ rows: [row({ leftOut: ['pos-3'] })] })?.word).toBe('complete without pos-3')
  })

  it('never shows a row of another currency, or an old view version, or a superseded one', () => {
    expect(only({ rows: [row({ currency: 'USD' })] })?.finality).toBe('gap')
    expect(only({ rows: [row({ status: 'superseded' })] })?.finality).toBe('gap')
    const both = only({ rows: [row({ version: 2, net: '2.0000' }), row({ version: 1, net: '1.0000' })] })
    expect(both?.height).toBe(2)
  })

  it('a net below zero is a height below zero', () => {
    expect(only({ rows: [row({ net: '-32.8000' })] })?.height).toBe(-32.8)
  })

  it('marks never lie on each other', () => {
    const storm = minutes({
      rows: [20, 21, 22, 23].map((m) => row({ start: at(14, m), revision: 2 })),
    })
    expect([...marksThatFit(storm, 20)]).toEqual([at(14, 20), at(14, 22)])
    expect(marksThatFit(storm, 40).size).toBe(4)
  })
})

import { describe, expect, it } from 'vitest'
import { bytes, prepareSystem } from '@/app/features/system/prepare'
import { status } from '../../builders'

describe('what the engine holds', () => {
  it('is told part by part, with a unit', () => {
    const state = {
      ids: 48_000,
      distinct: 12_345_678,
      rows: 950_000,
      keys: 999,
      sources: 0,
      total: 13_344_677,
    }
    expect(prepareSystem(status([], { state })).sizes.map(({ label, size }) => `${label}: ${size}`)).toEqual([
      'event ids: 48 KB',
      'distinct orders and buyers: 12 MB',
      'rows of open windows: 0.9 MB',
      'their keys: 1 KB',
      'sources: 0 KB',
      'all of it: 13 MB',
    ])
  })

  it('says how near the ids are to their limit, and not more than full', () => {
    const near = prepareSystem(status([], { liveIds: 15_000_000, maxLiveIds: 20_000_000 }))
    expect([near.ids, near.idsPercent, near.idsShare]).toEqual(['15,000,000 of 20,000,000 ids', 75, '75.0 %'])
    expect(prepareSystem(status([], { liveIds: 30, maxLiveIds: 20 })).idsPercent).toBe(100)
  })

  it('never rounds something to nothing', () => {
    expect([bytes(1), bytes(99_999), bytes(100_000), bytes(9_949_999)]).toEqual([
      '1 KB',
      '100 KB',
      '0.1 MB',
      '9.9 MB',
    ])
  })
})

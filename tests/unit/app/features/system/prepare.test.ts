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

  it('says what lies on disk, largest tables first, with its limits where they are known', () => {
    const storage = {
      freeBytes: 61_000_000_000,
      diskBytes: 99_400_000_000,
      databaseBytes: 4_200_000,
      maxBytes: 2_000_000_000,
      tables: ['journal', 'window_row', 'revision', 'late_event', 'notice'].map((name, i) => ({
        name,
        bytes: 3_000_000 / 10 ** i,
      })),
      lateWrittenOff: 0,
      full: null,
    }
    const facts = prepareSystem(status([], { storage })).storage
    expect(facts?.lines.map(({ label, size }) => `${label}: ${size}`)).toEqual([
      'journal: 3.0 MB',
      'windows: 0.3 MB',
      'revisions: 30 KB',
      'late store: 3 KB',
      'the whole database: 4.2 MB of 2,000 MB',
      'free on its disk: 61 GB of 99 GB',
    ])
    expect(facts?.writtenOff).toBeNull()
    const own = {
      ...storage,
      freeBytes: null,
      diskBytes: null,
      maxBytes: null,
      lateWrittenOff: 1,
      tables: [],
    }
    expect(prepareSystem(status([], { storage: own })).storage).toEqual({
      lines: [{ label: 'the whole database', size: '4.2 MB' }],
      writtenOff: '1 late order waited longer than the journal is kept and can no longer be put back.',
    })
    expect(prepareSystem(status([])).storage).toBeNull()
  })
})

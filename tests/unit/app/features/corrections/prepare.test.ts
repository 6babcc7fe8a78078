import { describe, expect, it } from 'vitest'
import { type CorrectionsInput, prepareCorrections } from '@/app/features/corrections/prepare'
import { at, NOW, plain, revision, ZONE } from '../../builders'

const lines = (over: Partial<CorrectionsInput>) =>
  prepareCorrections({ queried: [], live: [], zone: ZONE, now: NOW, limit: 10, ...over }).map((line) => ({
    ...line,
    what: plain(line.what),
    detail: plain(line.detail),
    delta: plain(line.delta),
  }))

describe('the feed of corrections', () => {
  it('a line says when, how many events, which window, which revision, by how much', () => {
    expect(lines({ queried: [revision()] })).toMatchObject([
      {
        time: '14:22:05',
        what: '1 event, window 14:20–14:21',
        detail: 'rev 2, 1 min 12 s after its end',
        delta: '+¥ 129.90',
        direction: 'up',
      },
    ])
  })

  it('a storm in one record is one line with exact money', () => {
    const storm = [10, 11, 12].map((m) =>
      revision({ start: at(14, m), end: at(14, m + 1), eventCount: 4, deltaNet: '0.1000' }),
    )
    expect(lines({ queried: storm })).toMatchObject([
      { what: '12 events corrected 3 windows', detail: 'windows from 14:10–14:13', delta: '+¥ 0.30' },
    ])
  })

  it('what the socket and the query both tell is listed once', () => {
    const twice = lines({ queried: [revision()], live: [revision()] })
    expect(twice).toMatchObject([{ what: '1 event, window 14:20–14:21', delta: '+¥ 129.90' }])
  })

  it('two currencies in one record are two lines, with their codes', () => {
    const both = [revision(), revision({ currency: 'USD', deltaNet: '-5.0000' })]
    expect(lines({ queried: both }).map((line) => line.delta)).toEqual(['+¥ 129.90 CNY', '−$ 5.00 USD'])
  })

  it('newest first, no more than asked for', () => {
    const many = [1, 2, 3].map((pos) => revision({ pos, revision: pos + 1 }))
    expect(lines({ queried: many, limit: 2 }).map((line) => line.key)).toEqual(['3|CNY', '2|CNY'])
  })
})

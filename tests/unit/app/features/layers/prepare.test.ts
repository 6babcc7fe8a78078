import { describe, expect, it } from 'vitest'
import { prepareLayers } from '@/app/features/layers/prepare'
import { NO_COUNTS } from '../../builders'

const counts = {
  received: 1204,
  inTime: 1180,
  corrected: 12,
  late: 3,
  duplicate: 8,
  quarantined: 1,
  conflict: 5,
  test: 0,
  overflow: 0,
}

describe('where every event went', () => {
  it('shows the identity, conflicts not counted twice', () => {
    expect(prepareLayers(counts)).toMatchObject({
      identity: '1,204 received = 1,180 + 12 + 3 + 8 + 1',
      holds: true,
    })
  })

  it('does not claim an identity that does not hold', () => {
    expect(prepareLayers({ ...counts, late: 2 })).toMatchObject({
      identity: '1,204 received ≠ 1,180 + 12 + 2 + 8 + 1',
      holds: false,
    })
  })

  it('before the first event shares are n/a', () => {
    expect(prepareLayers(NO_COUNTS).layers.map((layer) => layer.share)).toEqual(Array(5).fill('n/a'))
  })
})

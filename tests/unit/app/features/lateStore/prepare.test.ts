import { describe, expect, it } from 'vitest'
import { lateTotal, prepareLate } from '@/app/features/lateStore/prepare'
import type { LateEvent } from '@/server/contracts/windowRow'
import { at, NOW, plain, ZONE } from '../../builders'

const late = (over: Partial<LateEvent> = {}): LateEvent => ({
  source: 'pos-1',
  eventId: 'e-1',
  orderId: '1001',
  userId: null,
  type: 'order',
  amount: '129.9000',
  currency: 'CNY',
  eventTime: at(13, 50, 7),
  dimensions: {},
  windowStart: at(13, 50),
  windowEnd: at(13, 51),
  watermark: NOW,
  lateBy: 1_390_000,
  receivedAt: NOW,
  position: 7,
  row: 0,
  seen: 1,
  ...over,
})

describe('the late store', () => {
  it('a line says what it missed and by how much', () => {
    const [line] = prepareLate([late()], ZONE, NOW)
    expect(line).toMatchObject({ eventTime: '13:50:07', missed: '13:50–13:51', seen: 'once' })
    expect(plain(line?.lateBy ?? '')).toBe('23 min 10 s')
    expect(plain(line?.amount ?? '')).toBe('¥ 129.90')
  })

  it('a refund is money out, and a refund of nothing is no minus', () => {
    const [refund, nothing] = prepareLate(
      [late({ type: 'refund' }), late({ type: 'refund', amount: '0.0000', eventId: 'e-2' })],
      ZONE,
      NOW,
    )
    expect(plain(refund?.amount ?? '')).toBe('−¥ 129.90')
    expect(plain(nothing?.amount ?? '')).toBe('¥ 0.00')
  })

  it('the total is a count and money a currency', () => {
    expect(lateTotal(0, [])).toBe('none waiting')
    expect(plain(lateTotal(14, [{ currency: 'CNY', count: 14, amount: '3310.5000' }]))).toBe(
      '14 waiting, ¥ 3,310.50',
    )
  })
})

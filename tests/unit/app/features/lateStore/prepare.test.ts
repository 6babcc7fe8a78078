import { describe, expect, it } from 'vitest'
import { listOf, whatCame, whatCanBeDone } from '@/app/features/lateStore/actions'
import { lateTotal, prepareLate } from '@/app/features/lateStore/prepare'
import type { LateRow } from '@/server/contracts/lateRow'
import { at, NOW, plain, ZONE } from '../../builders'

const late = (over: Partial<LateRow> = {}): LateRow => ({
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
  status: 'waiting',
  conflict: false,
  ...over,
})

describe('the late store', () => {
  it('a line says what it missed and by how much', () => {
    const [line] = prepareLate([late()], ZONE, NOW)
    expect(line).toMatchObject({ eventTime: '13:50:07', missed: '13:50–13:51', seen: null })
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

  it('money of what is still being checked is not in the total, but that there is some is said', () => {
    expect(plain(lateTotal(16, [{ currency: 'CNY', count: 14, amount: '3310.5000' }]))).toBe(
      '14 waiting, ¥ 3,310.50, 2 being checked',
    )
    expect(lateTotal(2, [])).toBe('2 being checked')
  })

  it('an id that came again says how often', () => {
    expect(prepareLate([late({ seen: 3 })], ZONE, NOW)[0]?.seen).toBe('came 3 times')
  })

  it('a line says what is not plain from the list that it is in', () => {
    const [checking, repeat, voided] = prepareLate(
      [
        late({ status: 'unverified' }),
        late({ status: 'duplicate', conflict: true }),
        late({ status: 'voided', seen: 0 }),
      ],
      ZONE,
      NOW,
    )
    expect(checking?.note).toBe('being checked')
    expect(repeat?.note).toBe('differs from the first')
    expect(voided).toMatchObject({ note: null, seen: null, lateBy: 'was in time' })
  })
})

describe('what can be done with a late order', () => {
  it('hangs on what it is: nothing while it is checked, or once it is known to be a repeat', () => {
    expect(whatCanBeDone('waiting')).toEqual(['putBack', 'writeOff'])
    expect(whatCanBeDone('written_off')).toEqual(['putBack'])
    expect(whatCanBeDone('reconciled')).toEqual(['takeOut'])
    expect(whatCanBeDone('voided')).toEqual(['putBack', 'writeOff'])
    expect([...whatCanBeDone('unverified'), ...whatCanBeDone('duplicate')]).toEqual([])
  })

  it('each list is of its own statuses, and together they are all', () => {
    const lists = ['waiting', 'put back', 'written off', 'taken out', 'repeats'] as const
    expect(lists.flatMap(listOf).sort()).toEqual(
      ['duplicate', 'reconciled', 'unverified', 'voided', 'waiting', 'written_off'].sort(),
    )
  })

  it('what came of it is said in full, and a refusal is one', () => {
    const outcome = { kind: 'reinject' as const, watermarkBefore: null, watermarkAfter: null }
    expect(
      whatCame({
        ...outcome,
        refused: null,
        changes: ['2 events re-injected', '1 event is counted already'],
      }),
    ).toEqual({
      text: 'Done: 2 events re-injected; 1 event is counted already.',
      refused: false,
    })
    expect(whatCame({ ...outcome, refused: 'nothing to do', changes: [] })).toEqual({
      text: 'Nothing was changed: nothing to do.',
      refused: true,
    })
  })
})

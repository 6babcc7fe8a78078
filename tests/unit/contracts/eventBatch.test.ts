import { describe, expect, test } from 'vitest'
import {
  EventBatchBuilder,
  type EventFields,
  eventAt,
  ORDER,
  REFUND,
} from '../../../server/contracts/eventBatch'

function event(over: Partial<EventFields> = {}): EventFields {
  return {
    journalTime: 1_792_843_200_001,
    source: 'pos-1',
    eventId: 'e-1',
    orderId: 'o-1',
    userId: 'u-1',
    type: ORDER,
    amountHi: 99_999_999,
    amountLo: 99_999_999,
    currency: 'CNY',
    eventTime: 1_792_843_199_999,
    dimensions: [],
    ...over,
  }
}

function roundTrip(...events: EventFields[]): EventFields[] {
  const builder = new EventBatchBuilder(1)
  for (const e of events) builder.add(e)
  const batch = builder.build()
  expect([builder.count, batch.count]).toEqual([events.length, events.length])
  return events.map((_, i) => eventAt(batch, i))
}

describe('events as columns', () => {
  test('read back as they were, of any script', () => {
    const events = [
      event({
        eventId: '订单-😀',
        userId: 'é',
        dimensions: [
          ['地区', '上海'],
          ['channel', '"web"'],
        ],
      }),
      event({ source: '\uFEFFx', orderId: '\u0000', type: REFUND, currency: 'EUR' }),
      event({ eventTime: -12_001, amountHi: 0, amountLo: 0 }),
    ]
    expect(roundTrip(...events)).toEqual(events)
  })

  test('keep no user apart from every user', () => {
    expect(roundTrip(event({ userId: null }), event({ userId: 'null' })).map((e) => e.userId)).toEqual([
      null,
      'null',
    ])
  })

  test('keep a dimension that only some events have with those events', () => {
    const lists = [
      [['a', '1']],
      [],
      [['b', '2']],
      [
        ['a', '3'],
        ['b', '4'],
      ],
    ] as const
    const read = roundTrip(...lists.map((dimensions) => event({ dimensions })))
    expect(read.map((e) => e.dimensions)).toEqual(lists)
  })

  test('keep the order in which they were added', () => {
    const ids = Array.from({ length: 500 }, (_, i) => `e-${(i * 7) % 500}`)
    expect(roundTrip(...ids.map((eventId) => event({ eventId }))).map((e) => e.eventId)).toEqual(ids)
  })

  test('of no events are an empty batch', () => {
    expect(roundTrip()).toEqual([])
  })

  test('share one string where the text is one', () => {
    const builder = new EventBatchBuilder()
    builder.add(event())
    builder.add(event({ eventId: 'e-2' }))
    const { source, currency, userId, strings } = builder.build()
    expect([source[0] === source[1], currency[0] === currency[1], userId[0] === userId[1]]).toEqual([
      true,
      true,
      true,
    ])
    expect(strings.offsets.length - 1).toBe(1 + 6)
  })
})

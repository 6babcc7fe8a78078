import { describe, expect, test } from 'vitest'
import { ORDER, REFUND } from '../../../server/contracts/eventBatch'
import { QUARANTINE_CODES } from '../../../server/contracts/quarantine'
import { Flaw } from '../../../server/ingest/flaw'
import { ARRIVAL, accepted, check, flaw, order } from './fixtures'

describe('a good event becomes its fields', () => {
  test('all of them', () => {
    expect(accepted(order())).toEqual({
      journalTime: ARRIVAL,
      source: 'pos-1',
      eventId: 'e-1',
      orderId: 'o-1',
      userId: 'u-1',
      type: ORDER,
      amountHi: 0,
      amountLo: 1_299_000,
      currency: 'CNY',
      eventTime: ARRIVAL - 1_000,
      dimensions: [
        ['region', 'east'],
        ['channel', 'web'],
      ],
    })
  })

  test('what may be absent may be', () => {
    const { eventId, orderId, amount, currency, eventTime } = order()
    const bare = accepted({ eventId, orderId, amount, currency, eventTime })
    expect(bare).toMatchObject({ type: ORDER, userId: null, dimensions: [] })
    expect(accepted(order({ type: null, userId: '', dimensions: null }))).toMatchObject(bare)
    expect(accepted(order({ type: 'refund' })).type).toBe(REFUND)
  })

  test('unknown fields are ignored unless the source is strict', () => {
    expect(accepted(order({ note: 'x' }))).toEqual(accepted(order()))
    const found = flaw(order({ note: 'x' }), { strict: true })
    expect(found).toMatchObject({ code: 'unknown_field', field: 'note' })
    expect(accepted(order(), { strict: true })).toEqual(accepted(order()))
  })

  test('fields can be mapped, and messages use the names of the producer', () => {
    const map = { eventTime: 'create_time', amount: 'total' }
    const { eventTime: _, amount: __, ...rest } = order()
    const event = { ...rest, create_time: ARRIVAL / 1000, total: '1.00' }
    expect(accepted(event, { map, unit: 's', strict: true })).toMatchObject({
      eventTime: ARRIVAL,
      amountLo: 10_000,
    })
    expect(flaw({ ...event, create_time: 'x' }, { map })).toMatchObject({ field: 'create_time' })
    expect(flaw({ ...event, total: 'x' }, { map, unit: 's' }).message).toMatch(/^total "x"/)
    expect(flaw(order(), { map }).code).toBe('missing_field')
  })
})

describe('a value that is no event', () => {
  test.each([null, 5, 'x', true, [], [order()], undefined])('%j is wrong_type', (value) => {
    expect(flaw(value)).toMatchObject({ code: 'wrong_type', field: null })
  })

  test('a mark is no event: it is refused in words, also by a strict source', () => {
    expect(flaw({ mark: ARRIVAL }).message).toContain('source pos-1 is not punctuated')
    expect(flaw({ mark: ARRIVAL }, { strict: true }).message).toContain('not punctuated')
  })
})

describe('texts', () => {
  test.each(['eventId', 'orderId'])('%s has 1 to 128 characters', (field) => {
    expect(accepted(order({ [field]: 'x'.repeat(128) }))).toBeTruthy()
    expect(accepted(order({ [field]: '😀'.repeat(128) }))).toBeTruthy()
    expect(flaw(order({ [field]: 'x'.repeat(129) }))).toMatchObject({ code: 'too_long', field })
    expect(flaw(order({ [field]: '' })).code).toBe('missing_field')
    expect(flaw(order({ [field]: null })).code).toBe('missing_field')
    expect(flaw(order({ [field]: undefined })).code).toBe('missing_field')
    expect(flaw(order({ [field]: 7 }))).toMatchObject({ code: 'wrong_type', field })
    expect(flaw(order({ [field]: 'a\0b' })).code).toBe('wrong_type')
    expect(flaw(order({ [field]: '😀\0' })).code).toBe('wrong_type')
    expect(flaw(order({ [field]: 'a\ud800b' })).code).toBe('wrong_type')
  })

  test('userId, type and currency', () => {
    expect(flaw(order({ userId: 5 })).code).toBe('wrong_type')
    expect(flaw(order({ userId: 'x'.repeat(129) })).code).toBe('too_long')
    expect(flaw(order({ type: 'cancel' }))).toMatchObject({ code: 'wrong_type', field: 'type' })
    expect(flaw(order({ currency: 'cny' })).message).toContain('send "CNY"')
    for (const currency of ['', 'RMB', 'constructor', 'CN', ' CNY']) {
      expect(flaw(order({ currency })).code).toBe('currency_unknown')
    }
    expect(flaw(order({ currency: null })).code).toBe('missing_field')
    expect(flaw(order({ currency: 156 })).code).toBe('wrong_type')
  })
})

describe('dimensions', () => {
  const many = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, value]))

  test('at most 8 that carry a value', () => {
    expect(accepted(order({ dimensions: many(8, 'x') })).dimensions).toHaveLength(8)
    expect(accepted(order({ dimensions: { ...many(12, null), region: 'x', none: '' } })).dimensions).toEqual([
      ['region', 'x'],
    ])
    expect(flaw(order({ dimensions: many(9, 'x') }))).toMatchObject({ code: 'too_long', field: 'dimensions' })
  })

  test.each([
    ['east', 'wrong_type', 'dimensions'],
    [['east'], 'wrong_type', 'dimensions'],
    [{ region: 5 }, 'wrong_type', 'dimensions.region'],
    [{ region: true }, 'wrong_type', 'dimensions.region'],
    [{ region: {} }, 'wrong_type', 'dimensions.region'],
    [{ region: 'x'.repeat(129) }, 'too_long', 'dimensions.region'],
    [{ region: 'a\0' }, 'wrong_type', 'dimensions.region'],
    [{ ['x'.repeat(65)]: 'a' }, 'too_long', 'dimensions'],
    [{ '': 'a' }, 'wrong_type', 'dimensions'],
    [{ 'a\0': 'a' }, 'wrong_type', 'dimensions'],
  ])('%j is %s of %s', (dimensions, code, field) => {
    expect(flaw(order({ dimensions }))).toMatchObject({ code, field })
  })

  test('can stand as fields of the event itself', () => {
    const source = { map: { 'dimensions.region': 'shop_region' }, strict: true }
    const event = order({ shop_region: 'west' })
    expect(accepted(event, source).dimensions).toEqual([
      ['channel', 'web'],
      ['region', 'west'],
    ])
    expect(flaw(order({ shop_region: 5 }), source)).toMatchObject({
      code: 'wrong_type',
      field: 'shop_region',
    })
    expect(flaw(order({ shop_region: 'x', dimensions: many(8, 'x') }), source).code).toBe('too_long')
  })

  test('names that are traps in JavaScript are names like any other', () => {
    const text = '{"__proto__":"a","constructor":"b","toString":"c"}'
    expect(accepted(order({ dimensions: JSON.parse(text) })).dimensions).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['toString', 'c'],
    ])
    const event = JSON.parse(`{"__proto__":{"eventId":"e"},"constructor":1,"amount":"1","amount":"2"}`)
    expect(flaw(event)).toMatchObject({ code: 'missing_field', field: 'eventId' })
    expect(flaw(event, { map: { eventId: 'toString' } }).code).toBe('wrong_type')
    const twice = JSON.parse(`{"amount":"1",${JSON.stringify(order({ amount: '2' })).slice(1)}`)
    expect(accepted(twice).amountLo).toBe(20_000)
  })
})

describe('size', () => {
  const fill = (bytes: number) => {
    const event = order({ note: '' })
    return { ...event, note: 'x'.repeat(bytes - JSON.stringify(event).length) }
  }

  test('16 KiB of compact JSON is the most, counted in bytes', () => {
    expect(accepted(fill(16_384))).toBeTruthy()
    expect(flaw(fill(16_385))).toMatchObject({ code: 'too_long', field: null })
    expect(flaw(order({ note: '中'.repeat(6_000) })).code).toBe('too_long')
    expect(accepted(order({ note: '中'.repeat(5_000) }))).toBeTruthy()
  })

  test('nesting cannot exhaust the stack', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)
    expect(flaw(order({ note: deep })).code).toBe('too_long')
  })
})

test('every code of quarantine can be reached', () => {
  const reached = new Set(
    [
      check({}),
      check(5),
      check(order({ amount: 'x' })),
      check(order({ currency: 'x' })),
      check(order({ eventTime: 0 })),
      check(order({ eventTime: 1764460800 })),
      check(order({ eventTime: ARRIVAL * 1e3 })),
      check(order({ eventTime: ARRIVAL * 1e6 })),
      check(order({ eventTime: '2025-11-30T00:00' })),
      check(order({ eventTime: ARRIVAL * 2 })),
      check(order({ eventTime: 1 }), { maxAge: 1 }),
      check(order({ eventId: 'x'.repeat(200) })),
      check(order({ x: 1 }), { strict: true }),
    ].map((verdict) => (verdict instanceof Flaw ? verdict.code : 'accepted')),
  )
  expect([...reached].sort()).toEqual([...QUARANTINE_CODES].sort())
})

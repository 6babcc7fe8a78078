import { describe, expect, test } from 'vitest'
import { type Ev, Run, tumbling } from '../../../support/engine'

const at = (over: Partial<Ev>): Ev => ({ ts: 500, ...over })

describe('the measures of a row', () => {
  test('are gross, refunds, net, distinct orders and buyers of orders, and events', () => {
    const run = new Run()
    run.events(
      at({ order: 'o1', user: 'u1', amount: '10' }),
      at({ order: 'o1', user: 'u1', amount: '5' }),
      at({ order: 'o2', user: 'u2', amount: '0.0001' }),
      at({ order: 'o3', amount: '1' }),
      at({ order: 'o9', user: 'u9', amount: '3', refund: true }),
    )
    const measures = { gross: '16.0001', refunds: '3.0000', net: '13.0001', orders: 3, buyers: 2, events: 5 }
    expect(run.row('m', 0)).toMatchObject(measures)
  })

  test('tell an order from a buyer of the same name', () => {
    const run = new Run()
    run.events(at({ order: 'x', user: 'x' }), at({ order: 'y', user: 'x' }))
    expect(run.row('m', 0)).toMatchObject({ orders: 2, buyers: 1 })
  })

  test('tell the buyers of one row from the orders of the next', () => {
    const run = new Run()
    run.events(at({ order: 'o', user: 'x' }), at({ order: 'x', currency: 'EUR' }))
    expect(run.row('m', 0, '["EUR"]')?.orders).toBe(1)
  })

  test('count an order in each of its rows and windows, once', () => {
    const run = new Run({ views: [{ id: 'm', window: tumbling(1000), groupBy: ['k'] }] })
    run.events(
      at({ order: 'o', dims: { k: 'x' } }),
      at({ order: 'o', dims: { k: 'y' } }),
      at({ ts: 1500, order: 'o' }),
    )
    const orders = [
      run.row('m', 0, '["USD","x"]'),
      run.row('m', 0, '["USD","y"]'),
      run.row('m', 1000, '["USD",null]'),
    ]
    expect(orders.map((row) => row?.orders)).toEqual([1, 1, 1])
  })

  test('count a refund in the window of its own time, not in that of its order', () => {
    const run = new Run()
    run.events(at({ order: 'o', amount: '8' }), { ts: 1500, order: 'o', amount: '8', refund: true })
    expect([run.row('m', 0)?.net, run.row('m', 1000)?.net]).toEqual(['8.0000', '-8.0000'])
    expect(run.row('m', 1000)).toMatchObject({ orders: 0, buyers: 0, events: 1, gross: '0.0000' })
  })

  test('are exact past 2^53: the largest amount, a thousand times, and 1/10,000', () => {
    const run = new Run()
    run.events(
      ...Array.from({ length: 1000 }, () => at({ amount: '999999999999.9999' })),
      at({ amount: '0.0001' }),
    )
    expect(run.row('m', 0)?.gross).toBe('999999999999999.9001')
    run.events(...Array.from({ length: 1000 }, () => at({ amount: '999999999999.9999', refund: true })))
    expect(run.row('m', 0)).toMatchObject({ net: '0.0001', refunds: '999999999999999.9000' })
  })

  test('never show a zero with a sign', () => {
    const run = new Run()
    run.events(
      at({ amount: '0' }),
      at({ amount: '0', refund: true }),
      at({ amount: '7' }),
      at({ amount: '7', refund: true }),
    )
    expect(run.row('m', 0)).toMatchObject({ net: '0.0000', gross: '7.0000' })
  })
})

describe('currencies', () => {
  test('are never added: each has a row of its own, in every view', () => {
    const run = new Run({
      views: [
        { id: 'm', window: tumbling(1000), groupBy: ['k'] },
        { id: 't', window: tumbling(1000) },
      ],
    })
    const k = { k: 'x' }
    run.events(
      at({ amount: '1', dims: k }),
      at({ amount: '2', currency: 'EUR', dims: k }),
      at({ amount: '4', dims: k }),
    )
    expect([...run.rows.values()].map((r) => [r.view, r.key, r.net])).toEqual([
      ['m', '["USD","x"]', '5.0000'],
      ['m', '["EUR","x"]', '2.0000'],
      ['t', '["USD"]', '5.0000'],
      ['t', '["EUR"]', '2.0000'],
    ])
  })
})

describe('minutes and hours', () => {
  test('count the same set: what comes too late for its minute is in neither', () => {
    const views = [
      { id: 'm', window: tumbling(1000) },
      { id: 'h', window: tumbling(4000) },
    ]
    const run = new Run({ views })
    run.oneByOne({ ts: 100 }, { ts: 1100 }, { ts: 2100 }, { ts: 900 }, { ts: 2000 })
    const minutes = [0, 1000, 2000].map((start) => run.row('m', start)?.events)
    expect([minutes, run.row('h', 0)?.events]).toEqual([[1, 1, 2], 4])
  })
})

describe('keys beyond the cap', () => {
  const views = [{ id: 'm', window: tumbling(1000), groupBy: ['k'], maxKeys: 2 }]
  const key = (k: string, over: Partial<Ev> = {}) => at({ dims: { k }, ...over })

  test('are counted together in `__other__`, one for each currency; known keys go on', () => {
    const run = new Run({ views })
    run.events(key('a'), key('b'), key('c'), key('d'), key('c'), key('a'), key('e', { currency: 'EUR' }))
    const rows = [...run.rows.values()].map((r) => [r.key, r.events])
    expect(rows).toEqual([
      ['["USD","a"]', 2],
      ['["USD","b"]', 1],
      ['["USD","__other__"]', 3],
      ['["EUR","__other__"]', 1],
    ])
  })

  test('keep distinct orders exact where one order has several folded keys', () => {
    const run = new Run({ views })
    run.events(key('a'), key('b'), key('c', { order: 'o', user: 'u' }), key('d', { order: 'o', user: 'u' }))
    expect(run.row('m', 0, '["USD","__other__"]')).toMatchObject({ events: 2, orders: 1, buyers: 1 })
  })

  test('never meet a real value of that name', () => {
    const run = new Run({ views })
    run.events(key('__other__'), key('b'), key('c'))
    expect(run.row('m', 0, '["USD","\\\\__other__"]')?.events).toBe(1)
    expect(run.row('m', 0, '["USD","__other__"]')?.events).toBe(1)
  })

  test('are counted by window: the next one begins anew', () => {
    const run = new Run({ views })
    run.events(key('a'), key('b'), key('c', { ts: 1500 }))
    expect(run.row('m', 1000, '["USD","c"]')?.events).toBe(1)
  })

  test('do not fold in a view without dimensions, whose keys are its currencies', () => {
    const run = new Run({ views: [{ id: 'm', window: tumbling(1000), maxKeys: 1 }] })
    run.events(at({}), at({ currency: 'EUR' }))
    expect([...run.rows.values()].map((r) => r.key)).toEqual(['["USD"]', '["EUR"]'])
  })
})

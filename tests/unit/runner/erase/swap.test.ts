import { describe, expect, it } from 'vitest'
import { type Swap, swapRaw, swapRejected, swapWords } from '@/server/runner/erase/swap'

const swapOf = (user: string, over: Partial<Swap> = {}): Swap => ({
  user,
  pseudonym: 'erased-x',
  sources: null,
  fields: new Set(['userId', 'customer']),
  ...over,
})

describe('the raw text of a quarantined event', () => {
  it.each([
    ['a string', 'u-1', '{ "userId": "u-1", "amount": "x" }', '{ "userId": "erased-x", "amount": "x" }'],
    ['a string of a longer one', 'u-1', '{"userId":"u-12"}', '{"userId":"u-12"}'],
    ['a string that is escaped', 'u-1', '{"userId":"u\\u002d1","n":[1]}', '{"userId":"erased-x","n":[1]}'],
    ['a string within others', 'u-1', '{"a":[{"b":"u-1"}]}', '{"a":[{"b":"erased-x"}]}'],
    ['a number in a user field', '77', '{"userId":77,"amount":77}', '{"userId":"erased-x","amount":77}'],
    ['a number in a mapped field', '77', '{"customer":77}', '{"customer":"erased-x"}'],
    ['a broken line', 'u-1', '{"userId":"u-1","amount":', '{"userId":"erased-x","amount":'],
    ['a broken line without quotes', 'u-1', '{userId: u-1, x: u-12}', '{userId: erased-x, x: u-12}'],
    ['a number as it was sent', '7', '{"amount":1.50,"userId":"8"}', '{"amount":1.50,"userId":"8"}'],
    ['signs of a pattern', 'a.b*', '{a.b* aXb*}', '{erased-x aXb*}'],
  ])('%s', (_, user, raw, expected) => {
    expect(swapRaw(raw, swapOf(user))).toBe(expected)
  })

  it('is left alone when it is of another source', () => {
    const rejected = {
      source: 'web',
      field: 'userId',
      message: 'userId 77 is a number',
      raw: '{"userId":77}',
    }
    expect(swapRejected(rejected, swapOf('77', { sources: new Set(['till']) }))).toBe(rejected)
    expect(swapRejected(rejected, swapOf('77', { sources: new Set(['web']) }))).toEqual({
      ...rejected,
      message: 'userId erased-x is a number',
      raw: '{"userId":"erased-x"}',
    })
  })

  it('keeps the words of a message about another field', () => {
    const rejected = {
      source: 'web',
      field: 'orderId',
      message: 'at most 128 characters',
      raw: '{"userId":"128"}',
    }
    expect(swapRejected(rejected, swapOf('128'))).toEqual({ ...rejected, raw: '{"userId":"erased-x"}' })
  })

  it('in words: the id by itself only', () => {
    expect(swapWords('ü1 1 (1) 1-2', swapOf('1'))).toBe('ü1 erased-x (erased-x) 1-2')
  })
})

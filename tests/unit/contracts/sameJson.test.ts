import { expect, test } from 'vitest'
import { sameJson } from '../../../server/contracts/sameJson'

test.each<[boolean, unknown, unknown]>([
  [true, { a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { e: 3, d: 2 }] }, a: 1 }],
  [true, { a: undefined }, {}],
  [true, undefined, undefined],
  [false, undefined, null],
  [false, { a: null }, {}],
  [false, [1, 2], [2, 1]],
  [false, { a: 1 }, { a: '1' }],
  [false, {}, []],
])('it is %s that %j says the same as %j', (same, a, b) => {
  expect(sameJson(a, b)).toBe(same)
  expect(sameJson(b, a)).toBe(same)
})

import { describe, expect, test } from 'vitest'
import { toDecimal } from '../../../server/contracts/money'
import { accepted, flaw, order } from './fixtures'

const read = (amount: unknown) => {
  const { amountHi: hi, amountLo: lo } = accepted(order({ amount }))
  return toDecimal({ hi, lo })
}

describe('an amount is exact or refused', () => {
  test.each([
    ['0', '0.0000'],
    ['129.90', '129.9000'],
    ['0.0001', '0.0001'],
    ['900719925474.0993', '900719925474.0993'],
    ['999999999999.9999', '999999999999.9999'],
    ['19.99', '19.9900'],
    ['8.165', '8.1650'],
    [0, '0.0000'],
    [129.9, '129.9000'],
    [0.0001, '0.0001'],
    [14.38, '14.3800'],
    [999999999999, '999999999999.0000'],
    [12345678901.2345, '12345678901.2345'],
  ])('%j is kept as %s', (amount, expected) => {
    expect(read(amount)).toBe(expected)
  })

  test.each([
    '',
    ' 5',
    '5 ',
    '1e3',
    '1,299',
    '1,5',
    '-0',
    '-0.01',
    '+5',
    'NaN',
    'Infinity',
    '.5',
    '5.',
    '1.00000',
    '1000000000000',
    '007',
    '00.5',
    '0x10',
    '1_000',
    '\uff15',
    '¥5',
    '1.2.3',
    '.',
    '-',
    -0.01,
    -0,
    0.00001,
    1.00001,
    1e12,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    JSON.parse('900719925474.0993'),
    0.1 + 0.2,
  ])('%j is amount_invalid, and the message names the field and a way out', (amount) => {
    const found = flaw(order({ amount }))
    expect(found).toMatchObject({ code: 'amount_invalid', field: 'amount' })
    expect(found.message).toMatch(/^amount .{3,}/)
  })

  test.each([true, [], {}, [5]])('%j is wrong_type', (amount) => {
    expect(flaw(order({ amount }))).toMatchObject({ code: 'wrong_type', field: 'amount' })
  })

  test('a mend is offered for what people really send', () => {
    expect(flaw(order({ amount: '1,299.50' })).message).toContain('send "1299.50"')
    expect(flaw(order({ amount: '007' })).message).toContain('send "7"')
    expect(flaw(order({ amount: '-5' })).message).toContain('type "refund"')
  })
})

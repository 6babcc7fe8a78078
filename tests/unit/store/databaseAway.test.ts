import { describe, expect, it } from 'vitest'
import { isDatabaseAway, reading } from '@/server/store/databaseAway'

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code })

describe('a database that is away', () => {
  it.each(['P1001', 'P1017', 'ECONNREFUSED', '57P01', '08006'])('is known by %s', (code) => {
    expect(isDatabaseAway(withCode(code))).toBe(true)
    expect(isDatabaseAway(new Error('wrapped', { cause: withCode(code) }))).toBe(true)
  })

  it('is known by the words of a raw query', () => {
    expect(
      isDatabaseAway(withCode('P2010', 'Raw query failed. Message: `Server has closed the connection.`')),
    ).toBe(true)
  })

  it('is not any other error: a broken constraint, a missing table, a cause that goes round', () => {
    expect(isDatabaseAway(withCode('P2002'))).toBe(false)
    expect(isDatabaseAway(withCode('42P01'))).toBe(false)
    const round = new Error('round')
    round.cause = round
    expect(isDatabaseAway(round)).toBe(false)
  })

  it('is told as 503 with when to ask again; other errors stay what they are', async () => {
    await expect(reading(Promise.reject(withCode('P1001')))).rejects.toMatchObject({
      code: 'database_unavailable',
      status: 503,
      retryAfter: 5,
    })
    const own = withCode('P2002')
    await expect(reading(Promise.reject(own))).rejects.toBe(own)
  })
})

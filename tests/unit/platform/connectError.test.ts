import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { connectError } from '@/server/platform/connectError'
import { StartupError } from '@/server/platform/startupError'

const URL_WITH_SECRET = 'postgresql://tidemark:s3cret@127.0.0.1:1/orders'

describe('an error at the first contact with the database', () => {
  it('says where and what to do, never the password', async () => {
    const refused = await new pg.Client(URL_WITH_SECRET).connect().catch((error: unknown) => error)
    const { text } = connectError(refused, URL_WITH_SECRET)
    expect(text).toContain('postgresql://tidemark@127.0.0.1:1/orders')
    expect(text).toMatch(/Is Postgres running there/)
    expect(text).not.toContain('s3cret')
  })

  it.each([
    ['28P01', /password is wrong/],
    ['3D000', /create it/],
    ['53300', /max_connections/],
    ['XX000', /npm run doctor/],
  ])('%s', (code, mend) => {
    const error = Object.assign(new Error('from the driver'), { code })
    expect(connectError(error, URL_WITH_SECRET)).toMatchObject({
      message: expect.stringContaining('from the driver'),
      mend: expect.stringMatching(mend),
    })
  })

  it('of several addresses the first one tells; what can be mended already stays as it is', () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
    const both = new AggregateError([refused, refused])
    expect(connectError(both, URL_WITH_SECRET).mend).toMatch(/Is Postgres running/)
    const mended = new StartupError('a', 'b')
    expect(connectError(mended, URL_WITH_SECRET)).toBe(mended)
  })

  it('a text that is no URL is not shown', () => {
    expect(connectError(new Error('x'), 'pw=s3cret').message).not.toContain('s3cret')
  })
})

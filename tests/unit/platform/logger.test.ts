import { describe, expect, it } from 'vitest'
import { createLogger } from '@/server/platform/logger'

const KEY = 'tm_abcdefgHIJKLMNOPQRSTUVWXYZ0123456789-_abcdef'

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = []
  write(createLogger({ LOG_LEVEL: 'info', NODE_ENV: 'production' }, { write: (line) => lines.push(line) }))
  return lines.join('')
}

describe('log', () => {
  it('a secret field is redacted up to three levels deep', () => {
    const headers = { authorization: 'Basic s3cret', cookie: 's3cret' }
    const line = logged((log) =>
      log.info({ ...headers, req: { headers }, env: { DATABASE_URL: 's3cret' }, password: 's3cret' }),
    )
    expect(line).not.toContain('s3cret')
    expect(line).toContain('[redacted]')
  })

  it('a key in a text keeps its visible prefix only', () => {
    const line = logged((log) => log.warn({ err: new Error(`wrong: Bearer ${KEY}`) }, `the key ${KEY}`))
    expect(line).toContain('tm_abcdefg[redacted]')
    expect(line).not.toContain(KEY.slice(10))
  })

  it('the password of a URL in a message, a cause or a stack is redacted', () => {
    const cause = new Error('connect postgresql://tidemark:s3cret@127.0.0.1:1/x failed')
    const line = logged((log) => log.error({ err: new Error('no database', { cause }) }))
    expect(line).toContain('postgresql://tidemark:[redacted]@127.0.0.1:1/x')
    expect(line).not.toContain('s3cret')
  })

  it('what is no secret stands as it is, one JSON object a line', () => {
    const line = logged((log) => log.info({ source: 'pos-1', position: 7 }, 'appended'))
    expect(JSON.parse(line)).toMatchObject({ source: 'pos-1', position: 7, msg: 'appended' })
  })
})

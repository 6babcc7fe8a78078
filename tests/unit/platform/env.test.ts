import { describe, expect, it } from 'vitest'
import { readEnv } from '@/server/platform/env'
import { StartupError } from '@/server/platform/startupError'

const failure = (variables: Record<string, string>): StartupError => {
  try {
    readEnv(variables)
  } catch (error) {
    if (error instanceof StartupError) return error
  }
  throw new Error('it was taken')
}

describe('environment', () => {
  it('nothing set: the defaults; an empty variable is an unset one', () => {
    const defaults = { HOST: '127.0.0.1', PORT: 3000, LOG_LEVEL: 'info', NODE_ENV: 'development' }
    expect(readEnv({})).toMatchObject(defaults)
    expect(readEnv({ HOST: '', PORT: '', DATABASE_URL: '' })).toMatchObject(defaults)
  })

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'prod'],
    ['HOST', 'a b'],
    ['TIDEMARK_KEEP_JOURNAL', '30'],
    ['TIDEMARK_KEEP_JOURNAL', '59m'],
    ['TIDEMARK_KEEP_ROWS', '-1d'],
    ['TIDEMARK_KEEP_LATE', '1fortnight'],
    ['TIDEMARK_MAX_DATABASE', '0'],
    ['TIDEMARK_MAX_DATABASE', '1.5GiB'],
    ['TIDEMARK_DISK_STOP', '5GB'],
  ])('%s=%s: the message has the variable, the value and what is allowed', (name, value) => {
    const { text } = failure({ [name]: value })
    expect(text).toContain(`${name} is "${value}"`)
    expect(text).toMatch(new RegExp(`Allowed:\\s+${name}: `))
  })

  it('durations and sizes are read with their units', () => {
    const read = readEnv({
      TIDEMARK_KEEP_JOURNAL: '36h',
      TIDEMARK_MAX_DATABASE: '20GiB',
      TIDEMARK_DISK_STOP: '1024',
    })
    expect(read).toMatchObject({
      TIDEMARK_KEEP_JOURNAL: 36 * 3_600_000,
      TIDEMARK_MAX_DATABASE: 20 * 2 ** 30,
      TIDEMARK_DISK_STOP: 1024,
    })
    expect(read.TIDEMARK_KEEP_ROWS).toBeUndefined()
  })

  it('all faults are told at once', () => {
    expect(failure({ PORT: 'x', LOG_LEVEL: 'y' }).message).toMatch(/PORT.*LOG_LEVEL/)
  })

  it.each(['mysql://root:secret@host/db', 'secret', 'postgres:secret'])(
    'a wrong DATABASE_URL is not shown: %s',
    (value) => {
      expect(failure({ DATABASE_URL: value }).text).not.toContain('secret')
    },
  )

  it.each(['postgres://u:p@h:1/d', 'postgresql://h/d?schema=x'])('%s is one', (value) => {
    expect(readEnv({ DATABASE_URL: value }).DATABASE_URL).toBe(value)
  })
})

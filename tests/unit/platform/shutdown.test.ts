import { describe, expect, it, vi } from 'vitest'
import { createLogger } from '@/server/platform/logger'
import { Shutdown, Stopping } from '@/server/platform/shutdown'

const logger = createLogger({ LOG_LEVEL: 'silent', NODE_ENV: 'test' }, { write: () => {} })
const hang = () => new Promise(() => {})

function shutdown(limit = 1_000) {
  const exit = vi.fn()
  return { exit, shutdown: new Shutdown({ logger, limit, exit }) }
}

describe('shutdown', () => {
  it('what was opened last closes first, each after the one before has closed', async () => {
    const { shutdown: s, exit } = shutdown()
    const log: string[] = []
    s.add('database', () => log.push('database'))
    s.add('server', async () => {
      log.push('server…')
      await new Promise((resolve) => setTimeout(resolve, 10))
      log.push('server')
    })
    await s.run('test')
    expect(log).toEqual(['server…', 'server', 'database'])
    expect(exit).toHaveBeenCalledExactlyOnceWith(0)
  })

  it('a closer that fails does not keep the others from closing, and the code says so', async () => {
    const { shutdown: s, exit } = shutdown()
    const close = vi.fn()
    s.add('database', close)
    s.add('server', () => Promise.reject(new Error('no')))
    await s.run('test')
    expect(close).toHaveBeenCalledOnce()
    expect(exit).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('past the limit it ends without the one that hangs', async () => {
    const { shutdown: s, exit } = shutdown(20)
    s.add('server', hang)
    void s.run('test')
    await expect.poll(() => exit.mock.calls).toEqual([[1]])
  })

  it('a signal starts it, its echo is none, a second one ends it at once', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000)
    const { shutdown: s, exit } = shutdown()
    s.add('server', hang)
    const off = s.listen()
    process.emit('SIGTERM', 'SIGTERM')
    clock.mockReturnValue(10_499)
    process.emit('SIGTERM', 'SIGTERM')
    expect(exit).not.toHaveBeenCalled()
    clock.mockReturnValue(10_500)
    process.emit('SIGINT', 'SIGINT')
    expect(exit).toHaveBeenCalledExactlyOnceWith(130)
    clock.mockRestore()
    off()
    expect(process.listenerCount('SIGTERM')).toBe(0)
  })

  it('asked twice it closes once, with the code of the first', async () => {
    const { shutdown: s, exit } = shutdown()
    const close = vi.fn()
    s.add('server', close)
    await Promise.all([s.run('fatal', 3), s.run('signal')])
    expect(close).toHaveBeenCalledOnce()
    expect(exit).toHaveBeenCalledExactlyOnceWith(3)
  })

  it('a start that is under way is waited for, then what it opened is closed, the last resort left out', async () => {
    const { shutdown: s, exit } = shutdown()
    const log: string[] = []
    let goOn = () => {}
    const start = s.during(async () => {
      s.add(
        'database',
        () => log.push('database closed'),
        () => log.push('last resort'),
      )
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      log.push('opened')
      s.throwIfStopping()
      log.push('never')
    })
    const stopped = s.run('test')
    goOn()
    await expect(start).rejects.toBeInstanceOf(Stopping)
    await stopped
    expect(log).toEqual(['opened', 'database closed'])
    expect(exit).toHaveBeenCalledExactlyOnceWith(0)
  })

  it('a start that fails is reported to its caller and closes what it opened', async () => {
    const { shutdown: s, exit } = shutdown()
    const close = vi.fn()
    const start = s.during(async () => {
      s.add('database', close)
      throw new Error('port taken')
    })
    await expect(start).rejects.toThrow('port taken')
    await s.run('did not start', 1)
    expect(close).toHaveBeenCalledOnce()
    expect(exit).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('past the limit the last resort of everything that is not closed is tried, hanging or waiting', async () => {
    const { shutdown: s, exit } = shutdown(20)
    const resort = vi.fn()
    s.add('database', vi.fn(), () => resort('database'))
    s.add('runner', hang, () => resort('runner'))
    s.add('server', vi.fn(), () => resort('server'))
    void s.run('test')
    await expect.poll(() => exit.mock.calls).toEqual([[1]])
    expect(resort.mock.calls).toEqual([['database'], ['runner']])
  })
})

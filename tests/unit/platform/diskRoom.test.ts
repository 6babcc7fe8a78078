import { describe, expect, it } from 'vitest'
import { isDiskFull } from '@/server/platform/diskFull'
import { diskFullSays, diskRoom, isShort, stopUnder } from '@/server/platform/diskRoom'

const MIB = 2 ** 20
const room = (free: number, total: number) => ({ free: free * MIB, total: total * MIB })

describe('room on a disk', () => {
  it('is short under 512 MiB, or 2 % of a large disk, or what a setting says', () => {
    expect(stopUnder(room(0, 10_000), undefined)).toBe(512 * MIB)
    expect(stopUnder(room(0, 100_000), undefined)).toBe(2_000 * MIB)
    expect(stopUnder(room(0, 100_000), 64 * MIB)).toBe(64 * MIB)
  })

  it('once short stays short until there is half as much again: it does not open and shut with each request', () => {
    const free = [600, 512, 511, 513, 700, 767, 768, 600, 511]
    let short = false
    const seen = free.map((mebibytes) => {
      short = isShort(room(mebibytes, 10_000), undefined, short)
      return short
    })
    expect(seen).toEqual([false, false, true, true, true, true, false, false, true])
  })

  it('is said with what is full, how much is left, and when it goes on', () => {
    const says = diskFullSays('/data', room(100, 10_000), undefined)
    expect(says).toMatch(/\/data has 100 MiB left.*below 512 MiB.*Make room.*from 768 MiB on/)
  })

  it('is measured on a real file system', async () => {
    const { free, total } = await diskRoom('/')
    expect(free).toBeGreaterThan(0)
    expect(total).toBeGreaterThanOrEqual(free)
  })
})

describe('a full disk in an error', () => {
  it('is known by its code or its words, however deep; nothing else is one', () => {
    const coded = Object.assign(new Error('x'), { code: '53100' })
    expect(isDiskFull(coded)).toBe(true)
    expect(isDiskFull(new Error('outer', { cause: new Error('inner', { cause: coded }) }))).toBe(true)
    expect(isDiskFull(new Error('could not extend file "base/1": No space left on device'))).toBe(true)
    expect(isDiskFull(Object.assign(new Error('too many clients'), { code: '53300' }))).toBe(false)
    expect(isDiskFull('53100')).toBe(false)
  })
})

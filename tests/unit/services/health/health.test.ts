import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PipelineStatus } from '@/server/contracts/status'
import { Health } from '@/server/services/health/health'
import { NOW, source, status } from '@/tests/unit/app/builders'

let now = 0
let current: PipelineStatus
let room: string | null
let health: Health

beforeEach(() => {
  vi.useFakeTimers()
  now = 0
  room = null
  current = status([])
  health = new Health({ wall: () => NOW + now, monotonic: () => now })
})
afterEach(() => {
  health.enter('stopping')
  vi.useRealTimers()
})

const follow = () => {
  health.follow({ status: () => current, noRoom: () => room })
  health.enter('running')
}
/** Time passes; the database answers each second unless it is `wedged`. */
const pass = (ms: number, wedged = false) => {
  for (let left = ms; left > 0; left -= 1_000) {
    now += 1_000
    if (!wedged) current = { ...current, databaseAt: NOW + now }
    vi.advanceTimersByTime(1_000)
  }
}
const codes = () => health.readiness().reasons.map(({ code }) => code)

describe('readiness', () => {
  it('is not there before the server runs, and says in which phase it is', () => {
    for (const phase of ['starting', 'migrating', 'recovering', 'standby', 'stopping'] as const) {
      health.enter(phase)
      expect(health.readiness()).toMatchObject({ ready: false, phase, reasons: [{ code: phase }] })
    }
  })

  it('is there while the database answers and nothing waits', () => {
    follow()
    pass(60_000)
    expect(health.readiness()).toMatchObject({ ready: true, reasons: [] })
  })

  it('goes when results stand still for 5 s though the database answers, and says since when', () => {
    follow()
    pass(3_000)
    current = { ...current, journaled: 501 }
    pass(5_000)
    expect(codes()).toEqual([])
    pass(1_000)
    expect(health.readiness()).toMatchObject({
      ready: false,
      reasons: [{ code: 'results_stand_still', since: new Date(NOW + 4_000).toISOString() }],
    })
    pass(10_000)
    expect(health.readiness().reasons[0]?.since).toBe(new Date(NOW + 4_000).toISOString())
    current = { ...current, committed: 501 }
    expect(health.readiness().ready).toBe(true)
  })

  it('stays while results are behind and move', () => {
    follow()
    for (let i = 0; i < 10; i++) {
      current = { ...current, journaled: 2_000, committed: 500 + i }
      pass(4_000)
      expect(codes()).toEqual([])
    }
  })

  it('goes when the database answers nothing, though nothing waits', () => {
    follow()
    pass(6_000, true)
    expect(codes()).toEqual(['database_unheard'])
  })

  it('goes when the watermark does not follow its sources; a source that is behind, or a test source, is no reason', () => {
    const at = (watermark: number | null, over: Parameters<typeof source>[1] = {}) =>
      source('a', { watermark, ...over })
    current = status([at(2_000), at(1_000)], { watermark: 1_000 })
    follow()
    pass(20_000)
    expect(codes()).toEqual([])
    current = status([at(2_000), at(1_001), at(5, { isTest: true }), at(7, { state: 'idle' })], {
      watermark: 1_000,
    })
    pass(6_000)
    expect(codes()).toEqual(['watermark_stands_still'])
    current = status([at(2_000), at(null, { state: 'never' })], { watermark: 1_000 })
    pass(20_000)
    expect(codes()).toEqual([])
  })

  it('goes with trouble, while catching up, and while there is no room; catching up is no standstill', () => {
    follow()
    current = { ...current, trouble: 'the database is away.' }
    expect(codes()).toEqual(['trouble'])
    current = { ...current, trouble: null, catchingUp: true, journaled: 900 }
    pass(60_000, true)
    expect(codes()).toEqual(['catching_up'])
    room = 'the disk is full.'
    expect(health.readiness().reasons.at(-1)).toMatchObject({ code: 'disk_guard', says: 'the disk is full.' })
  })

  it('a wall clock that is set makes no standstill', () => {
    follow()
    for (let i = 0; i < 20; i++) {
      now += 1_000
      current = { ...current, databaseAt: NOW - i * 3_600_000 }
      vi.advanceTimersByTime(1_000)
      expect(codes()).toEqual([])
    }
  })
})

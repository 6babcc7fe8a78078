import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT } from '../../../../server/contracts/instant'
import { Horizon } from '../../../../server/engine/windows/horizon'

describe('what is too late to be counted', () => {
  test('is nothing before there is a watermark', () => {
    const horizon = new Horizon(0)
    horizon.follow(MIN_INSTANT)
    expect([horizon.isClosed(-1e15), horizon.end]).toEqual([false, MIN_INSTANT])
  })

  test('is a window whose last instant and L the watermark has reached', () => {
    const horizon = new Horizon(10)
    horizon.follow(1_008)
    expect(horizon.isClosed(1_000)).toBe(false)
    horizon.follow(1_009)
    expect([horizon.isClosed(1_000), horizon.isClosed(1_001)]).toEqual([true, false])
  })

  test('is what lies before a window that closed, though the watermark would leave it open', () => {
    const horizon = new Horizon(500)
    horizon.follow(1_000)
    horizon.pass(900)
    expect([horizon.isClosed(900), horizon.isClosed(901)]).toEqual([true, false])
    horizon.pass(300)
    expect(horizon.end).toBe(900)
  })

  test('is no less when L is raised, and more at once when it is lowered', () => {
    const horizon = new Horizon(10)
    horizon.follow(1_009)
    horizon.setLateness(500, 1_009)
    expect([horizon.isClosed(1_000), horizon.isClosed(1_001), horizon.lateness]).toEqual([true, false, 500])
    horizon.follow(1_400)
    expect(horizon.isClosed(1_001)).toBe(false)
    horizon.setLateness(0, 1_400)
    expect([horizon.isClosed(1_401), horizon.isClosed(1_402)]).toEqual([true, false])
  })

  test('is everything at the end of time', () => {
    const horizon = new Horizon(10)
    horizon.follow(MAX_INSTANT)
    expect(horizon.isClosed(1e15)).toBe(true)
  })

  test('never opens again, whatever happens to W and L', () => {
    const move = fc.oneof(
      fc.nat(50).map((rise) => ({ rise })),
      fc.nat(200).map((lateness) => ({ lateness })),
      fc.nat(2_000).map((pass) => ({ pass })),
    )
    fc.assert(
      fc.property(fc.array(move, { maxLength: 100 }), (moves) => {
        const horizon = new Horizon(50)
        let watermark = 0
        let [lateness, most] = [50, MIN_INSTANT]
        for (const m of moves) {
          if ('rise' in m) {
            watermark += m.rise
            horizon.follow(watermark)
          } else if ('lateness' in m) {
            lateness = m.lateness
            horizon.setLateness(lateness, watermark)
          } else horizon.pass(m.pass)
          const reached = 'pass' in m ? m.pass : watermark - lateness + 1
          most = Math.max(most, reached)
          expect([horizon.end, horizon.isClosed(most), horizon.isClosed(most + 1)]).toEqual([
            most,
            true,
            false,
          ])
        }
      }),
    )
  })
})

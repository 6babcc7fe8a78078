import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignerOf, tumblingStart } from '../../../../server/engine/windows/assigner'

const instant = fc.integer({ min: -(2 ** 51), max: 2 ** 51 })
const window = fc
  .integer({ min: 1, max: 400 * 86_400_000 })
  .chain((size) =>
    fc.record({ size: fc.constant(size), offset: fc.integer({ min: 1 - size, max: size - 1 }) }),
  )

/** Euclid's remainder in exact integers. */
function exactStart(ts: number, size: number, offset: number): number {
  const [t, s, o] = [BigInt(ts), BigInt(size), BigInt(offset)]
  return Number(t - ((((t - o) % s) + s) % s))
}

describe('tumbling windows', () => {
  test('hold their events and lie on the grid of size and offset, before 1970 too', () => {
    fc.assert(
      fc.property(instant, window, (ts, { size, offset }) => {
        const start = tumblingStart(ts, size, offset)
        expect(start).toBe(exactStart(ts, size, offset))
        expect(Object.is(start, -0)).toBe(false)
        expect(ts - start).toBeGreaterThanOrEqual(0)
        expect(ts - start).toBeLessThan(size)
      }),
      { numRuns: 1_000 },
    )
  })

  test('are the same in whatever order they are asked for', () => {
    fc.assert(
      fc.property(window, instant, fc.array(fc.integer({ min: -5, max: 5 })), (w, from, steps) => {
        const assign = assignerOf({ kind: 'tumbling', ...w })
        for (const step of steps) {
          const ts = from + step * Math.ceil(w.size / 2)
          const start = exactStart(ts, w.size, w.offset)
          expect(assign(ts)).toEqual({ start, end: start + w.size })
        }
      }),
      { numRuns: 300 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { SKETCH_ERROR, Sketch } from '@/server/contracts/sketch'

/** A register's number and value as the two words of a hash that lead there. */
const words = (register: number, value: number): [number, number] => [
  register << 21,
  value > 30 ? 0 : 1 << (32 - value),
]
const sketchOf = (...pairs: [number, number][]) => {
  const sketch = new Sketch()
  for (const [register, value] of pairs) sketch.add(...words(register, value))
  return sketch
}

describe('the bytes of a sketch', () => {
  it('stand as they are: a row written today is read by every later version', () => {
    expect([...new Sketch().encode()]).toEqual([1, 0])
    expect([...sketchOf([2047, 31], [0, 1], [3, 30]).encode()]).toEqual([1, 0, 1, 0, 126, 0, 255, 255])
  })

  it('are dense when that is smaller: 640 registers take 1,282 bytes, and more take no more', () => {
    const pairs = Array.from({ length: 641 }, (_, i): [number, number] => [i * 3, (i % 31) + 1])
    const sparse = sketchOf(...pairs.slice(0, 640)).encode()
    expect([sparse[1], sparse.length]).toEqual([0, 1_282])
    const dense = sketchOf(...pairs).encode()
    expect([dense[1], dense.length]).toEqual([1, 1_282])
    // Registers 0 (1), 3 (2) and 6 (3): the lowest bits first.
    expect([...dense.subarray(2, 7)]).toEqual([1, 0, 1, 192, 0])
  })

  it.each([
    ['nothing', []],
    ['no version', [0, 0]],
    ['an unknown form', [1, 2]],
    ['half a register', [1, 0, 1]],
    ['a dense one that is cut', [1, 1, ...Array(1_279).fill(0)]],
    ['registers out of order', [1, 0, 126, 0, 1, 0]],
    ['a register twice', [1, 0, 1, 0, 2, 0]],
    ['a register without a value', [1, 0, 32, 0]],
  ])('that are none are refused: %s', (_, bytes) => {
    expect(() => Sketch.decode(Uint8Array.from(bytes))).toThrow(RangeError)
  })

  it('of a newer version are refused by name', () => {
    expect(() => Sketch.decode(Uint8Array.from([2, 0]))).toThrow(/format 2.*newer Tidemark/)
  })

  it('may lie anywhere in a buffer', () => {
    const bytes = sketchOf([5, 7], [9, 1]).encode()
    const pool = new Uint8Array(64).fill(255)
    pool.set(bytes, 3)
    expect(Sketch.decode(pool.subarray(3, 3 + bytes.length)).encode()).toEqual(bytes)
  })
})

describe('the estimate', () => {
  it('of nothing is 0, of a handful of ids exact', () => {
    expect(new Sketch().estimate()).toBe(0)
    for (const n of [1, 2, 5, 10])
      expect(
        sketchOf(...Array.from({ length: n }, (_, i): [number, number] => [i * 97, (i % 3) + 1])).estimate(),
      ).toBe(n)
  })

  it('stays a number when every register is full', () => {
    const full = sketchOf(...Array.from({ length: 2_048 }, (_, i): [number, number] => [i, 31]))
    expect(full.estimate()).toBe(Number.POSITIVE_INFINITY)
  })

  it.each([1e4, 1e6, 1e9, 1e11, 1.5e12])('of registers as %d ids fill them is that many', (n) => {
    // A register stays at or below k with the chance exp(-n / 2,048 / 2^k), so so many of them do.
    const atMost = (k: number) =>
      k < 0 ? 0 : k > 30 ? 2_048 : Math.round(2_048 * Math.exp(-n / 2_048 / 2 ** k))
    const sketch = new Sketch()
    for (let value = 1; value <= 31; value++)
      for (let i = atMost(value - 1); i < atMost(value); i++) sketch.add(...words(i, value))
    expect(Math.abs(sketch.estimate() / n - 1)).toBeLessThan(0.01)
  })

  it('says its error: one standard deviation is 2.3 %', () => {
    expect(SKETCH_ERROR).toBeCloseTo(0.023, 4)
  })
})

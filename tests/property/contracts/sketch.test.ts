import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SKETCH_ERROR, Sketch } from '../../../server/contracts/sketch'
import { StringTableBuilder } from '../../../server/contracts/stringTable'
import { hashTable } from '../../../server/engine/aggregate/hash128'

/** Adds the ids `from … from + count - 1`, hashed as the engine hashes ids. */
function addIds(sketch: Sketch, from: number, count: number): Sketch {
  for (let first = from; first < from + count; first += 10_000) {
    const strings = new StringTableBuilder()
    for (let id = first; id < Math.min(first + 10_000, from + count); id++) strings.append(`order-${id}`)
    const hashes = hashTable(strings.build())
    // String 0 is the empty one.
    for (let at = 4; at < hashes.length; at += 4) sketch.add(hashes[at] ?? 0, hashes[at + 1] ?? 0)
  }
  return sketch
}

type Hash = readonly [number, number]
/** As text, since a difference of two texts is told at once, and failures are looked for among thousands. */
const bytesOf = (sketch: Sketch) => Buffer.from(sketch.encode()).toString('hex')
const sketchOf = (hashes: readonly Hash[]) => {
  const sketch = new Sketch()
  for (const [h1, h2] of hashes) sketch.add(h1, h2)
  return sketch
}
const merged = (...sketches: Sketch[]) => {
  const all = new Sketch()
  for (const sketch of sketches) all.merge(sketch)
  return all
}

/** Words with high ranks among them, which random ones hardly ever have. Sizes on both sides of sparse and dense. */
const word = fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 })
const low = fc.oneof(
  word,
  fc.nat(31).map((shift) => 1 << shift),
  fc.constant(0),
)
const hashes = (maxLength: number) => fc.array(fc.tuple(word, low), { maxLength, size: 'max' })
const some = fc.oneof(hashes(20), hashes(1_500))

/** A failure is made smaller for 5 s at most. */
const RUNS = { numRuns: 60, interruptAfterTimeLimit: 5_000 }

describe('a sketch', () => {
  test('merged is the sketch of the union, to the byte, whatever is merged into what', () => {
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        const union = bytesOf(sketchOf([...a, ...b, ...c]))
        const [x, y, z] = [sketchOf(a), sketchOf(b), sketchOf(c)]
        expect(bytesOf(merged(x, y, z))).toBe(union)
        expect(bytesOf(merged(z, merged(y, x)))).toBe(union)
        expect(bytesOf(merged(x, x, y, z, y))).toBe(union)
      }),
      RUNS,
    )
  })

  test('does not depend on the order of the ids, nor on repeats', () => {
    const shuffled = some.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(bytesOf(sketchOf([...other, ...list]))).toBe(bytesOf(sketchOf(list)))
      }),
      RUNS,
    )
  })

  test('comes back from its bytes as it was, and can be gone on with', () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        const sketch = sketchOf(a)
        const back = Sketch.decode(sketch.encode())
        expect(bytesOf(back)).toBe(bytesOf(sketch))
        expect(back.estimate()).toBe(sketch.estimate())
        for (const [h1, h2] of b) back.add(h1, h2)
        expect(bytesOf(back)).toBe(bytesOf(sketchOf([...a, ...b])))
      }),
      RUNS,
    )
  })

  test('becomes dense unseen: the estimate makes no jump there', () => {
    const sketch = new Sketch()
    const jumps: number[] = []
    let seen = 0
    for (let n = 1; n <= 3_000; n++) {
      addIds(sketch, n, 1)
      const now = sketch.estimate()
      jumps.push(now - seen)
      // It may be read and written at any moment without any difference.
      expect(Sketch.decode(sketch.encode()).estimate()).toBe(now)
      seen = now
    }
    // An id that raises a register of the 2,048 moves the estimate by a few; a seam would move it by dozens.
    expect(Math.min(...jumps)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...jumps)).toBeLessThanOrEqual(20)
  })

  test('is right to 4 standard errors at every size from none to a million', () => {
    const sizes = [
      0, 1, 2, 3, 5, 10, 30, 100, 300, 640, 1_000, 2_048, 3_000, 5_120, 10_000, 30_000, 100_000, 300_000,
      1_000_000,
    ]
    for (const run of [1, 2, 3]) {
      const sketch = new Sketch()
      let size = 0
      for (const next of sizes) {
        addIds(sketch, run * 10_000_000 + size, next - size)
        size = next
        const error = Math.abs(sketch.estimate() - size)
        expect(error, `${size} ids, run ${run}`).toBeLessThanOrEqual(4 * SKETCH_ERROR * size)
      }
    }
  })

  test('has no bias: over many sketches the mean is right, also where linear counting ends', () => {
    const many = 200
    for (const size of [50, 1_000, 4_000, 6_000, 12_000]) {
      let sum = 0
      for (let i = 0; i < many; i++) sum += addIds(new Sketch(), (size + i) * 1_000_000, size).estimate()
      const bias = Math.abs(sum / many - size)
      // An estimate is a whole number: half an id of the mean is rounding.
      expect(bias, `${size} ids`).toBeLessThanOrEqual((4 * SKETCH_ERROR * size) / Math.sqrt(many) + 0.5)
    }
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PairSet } from '../../../../server/engine/aggregate/pairSet'

/** Words that are often the same or meet in their low bits, so that probes run into one another. */
const word = fc.oneof(fc.constantFrom(0, 1, 16, 32, -1, -0x8000_0000), fc.integer({ min: 0, max: 0xffff }))
const pair = fc.tuple(fc.oneof(fc.nat(3), fc.constant(1_999_999)), word, word, word)
const move = fc.oneof(
  { weight: 60, arbitrary: pair.map((add) => ({ add })) },
  { weight: 2, arbitrary: fc.array(pair, { maxLength: 60, size: 'max' }).map((takeIn) => ({ takeIn })) },
  { weight: 1, arbitrary: fc.constant({ restore: true }) },
)
type Pair = [salt: number, ...words: number[]]

const textOf = (pair: Pair) => pair.join()
const add = (set: PairSet, [salt, ...words]: Pair) => set.add(salt, Int32Array.from([...words, 7]), 0)

function setOf(pairs: readonly Pair[]): PairSet {
  const set = new PairSet()
  for (const pair of pairs) add(set, pair)
  return set
}

function membersOf(set: PairSet): string[] {
  const members: string[] = []
  set.forEach((...pair) => {
    members.push(textOf(pair))
  })
  return members.sort()
}

/** Takes in another set, and expects to hear of exactly those salts whose pair was new. */
function takeIn(set: PairSet, model: Set<string>, pairs: readonly Pair[]): void {
  const expected = [...new Set(pairs.map(textOf))].filter((text) => !model.has(text))
  const heard: number[] = []
  set.addAll(setOf(pairs), (salt) => heard.push(salt))
  expect(heard.sort()).toEqual(expected.map((text) => Number(text.split(',')[0])).sort())
  for (const text of expected) model.add(text)
}

describe('a set of pairs', () => {
  test('answers as a Set of texts does, through growth, sets taken in and restarts', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 400, size: 'max' }), fc.nat(300), (moves, expected) => {
        let set = new PairSet(expected)
        const model = new Set<string>()
        for (const m of moves) {
          if ('add' in m) {
            expect(add(set, m.add)).toBe(!model.has(textOf(m.add)))
            model.add(textOf(m.add))
          } else if ('takeIn' in m) takeIn(set, model, m.takeIn)
          else set = PairSet.restore(structuredClone(set.save()))
          expect(set.size).toBe(model.size)
        }
        expect(membersOf(set)).toEqual([...model].sort())
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IdTable } from '../../../server/engine/dedupe'

const move = fc.oneof(
  { weight: 30, arbitrary: fc.record({ id: fc.nat(600), window: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ release: fc.nat(6) }) },
)

describe('the table of live ids', () => {
  test('answers as a Map does, through inserts, releases and rebuilds', () => {
    fc.assert(
      fc.property(
        fc.array(move, { maxLength: 1_500, size: 'max' }),
        fc.constantFrom(1, 16),
        (moves, step) => {
          const table = new IdTable()
          const model = new Map<number, { content: number; window: number }>()
          let generation = 0
          for (const m of moves) {
            if ('release' in m) {
              const window = m.release + 1 + generation * 10
              table.release(window)
              for (const [id, entry] of model) if (entry.window === window) model.delete(id)
              // A window's number is not given again.
              generation++
              continue
            }
            // All of one shard when `step` is 16, and slots that begin alike: long probes.
            const words = [m.id >> 2, 7, m.id, (m.id * step) >>> 0] as const
            expect(table.find(...words)).toBe(model.get(m.id)?.content ?? null)
            if (!model.has(m.id)) {
              const entry = { content: m.id * 3, window: m.window + 1 + generation * 10 }
              table.insert(...words, entry.content, entry.window)
              model.set(m.id, entry)
            }
            expect(table.size).toBe(model.size)
          }
          for (let id = 0; id <= 600; id++) {
            const words = [id >> 2, 7, id, (id * step) >>> 0] as const
            expect(table.find(...words)).toBe(model.get(id)?.content ?? null)
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})

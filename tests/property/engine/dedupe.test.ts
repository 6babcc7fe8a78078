import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IdTable } from '../../../server/engine/dedupe'

const move = fc.oneof(
  { weight: 60, arbitrary: fc.record({ id: fc.nat(600), window: fc.nat(6), keep: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ release: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.constant({ restart: true }) },
  { weight: 8, arbitrary: fc.constant({ tidy: true }) },
)
const moves = fc.array(move, { maxLength: 1_500, size: 'max' })

/** Ids of one shard when `step` is 16, whose slots begin alike: long probes over live and dead ones. */
const wordsOf = (id: number, step: number) => [id >> 2, 7, id, Math.imul(id, step)] as const

/** A table, and beside it a Map of what it should know. A window's number is not given again. */
class Both {
  table = new IdTable()
  readonly #known = new Map<number, { content: number; window: number }>()
  readonly #released = new Set<number>()
  readonly #step: number
  #generation = 0

  constructor(step: number) {
    this.#step = step
  }

  find(id: number): void {
    expect(this.table.find(...wordsOf(id, this.#step))).toBe(this.#known.get(id)?.content ?? null)
  }

  remember(id: number, of: number): void {
    const window = this.#windowOf(of)
    if (this.#known.has(id) || this.#released.has(window)) return
    const entry = { content: id * 3 - 900, window }
    this.table.insertFound(entry.content, window)
    this.#known.set(id, entry)
  }

  release(of: number): void {
    const window = this.#windowOf(of)
    this.table.release(window)
    for (const [id, entry] of this.#known) if (entry.window === window) this.#known.delete(id)
    this.#released.add(window)
    this.#generation++
  }

  restart(): void {
    const { table } = this
    const saved = Array.from({ length: table.shards }, (_, i) => table.saveShard(i))
    this.table = IdTable.restore(structuredClone(saved))
  }

  get size(): number {
    return this.#known.size
  }

  #windowOf(of: number): number {
    return of + 1 + this.#generation * 2
  }
}

describe('the table of live ids', () => {
  test('answers as a Map does, through inserts, releases, rebuilds and restarts', () => {
    fc.assert(
      fc.property(moves, fc.constantFrom(1, 16), (moves, step) => {
        const both = new Both(step)
        for (const m of moves) {
          if ('release' in m) both.release(m.release)
          else if ('restart' in m) both.restart()
          else if ('tidy' in m) both.table.tidy()
          else {
            both.find(m.id)
            if (m.keep) both.remember(m.id, m.window)
          }
          expect(both.table.size).toBe(both.size)
        }
        for (let id = 0; id <= 600; id++) both.find(id)
      }),
      { numRuns: 40 },
    )
  })
})

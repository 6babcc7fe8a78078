import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OTHER } from '../../../../server/engine/aggregate/batchKeys'
import { KeyTable } from '../../../../server/engine/aggregate/keyTable'
import type { Ev } from '../../../support/events'
import { keysIn } from '../../../unit/engine/aggregate/keysIn'

const VALUES = ['x', 'y', 'é', '上海', '😀', '\ufeffx', OTHER, `\\${OTHER}`, 'USD', 'v'.repeat(128)]
const value = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
)
const dims = fc.record({ a: value, b: value }, { requiredKeys: [] })
const currency = fc.constantFrom('USD', 'EUR', 'JPY')
const event: fc.Arbitrary<Partial<Ev>> = fc.record({ currency, dims })
const batches = fc.array(fc.array(event, { maxLength: 60, size: 'max' }), { maxLength: 5 })

/** Keys as texts in a Map: a real value that looks like the overflow gets a backslash in front. */
class Model {
  readonly texts: string[] = []
  readonly #numbers = new Map<string, number>()
  #own = 0

  numberOf({ currency = '', dims = {} }: Partial<Ev>, groupBy: readonly string[], most: number): number {
    const shown = (dim: string | undefined) => (/^\\*__other__$/.test(dim ?? '') ? `\\${dim}` : (dim ?? null))
    const text = JSON.stringify([currency, ...groupBy.map((name) => shown(dims[name]))])
    if (this.#numbers.has(text)) return this.#number(text)
    if (this.#own < most || groupBy.length === 0) {
      this.#own++
      return this.#number(text)
    }
    return this.#number(JSON.stringify([currency, ...groupBy.map(() => OTHER)]))
  }

  #number(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }
}

describe('the keys of a window', () => {
  test('are those of a Map of texts: numbers, cap, overflow, escaping, through growth and restarts', () => {
    fc.assert(
      fc.property(
        batches,
        fc.constantFrom([], ['a'], ['b', 'a'], ['a', 'nowhere']),
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(0, 1, 5, 100),
        (batches, groupBy, most, expected) => {
          let table = new KeyTable(expected)
          const model = new Model()
          for (const events of batches) {
            const keys = keysIn(groupBy, events)
            events.forEach((event, row) => {
              keys.look(row)
              expect(table.numberOf(keys, row, most)).toBe(model.numberOf(event, groupBy, most))
            })
            table = KeyTable.restore(structuredClone(table.save()))
          }
          expect(table.count).toBe(model.texts.length)
          model.texts.forEach((text, i) => {
            const [currency, ...dims] = JSON.parse(text)
            const parts = table.partsOf(i)
            expect([parts.text, parts.currency, parts.dims]).toEqual([text, currency, dims])
            expect(table.isOther(i)).toBe(dims.includes(OTHER))
          })
        },
      ),
    )
  })
})

import type { EventBatch } from '../../contracts/eventBatch'
import { stringAt } from '../../contracts/stringTable'
import type { CellKey } from './cell'

/** Where events of keys beyond a view's cap are counted (semantics.md §8). Reserved: a real value is escaped. */
export const OTHER = '__other__'

/** `__other__` sent by a producer becomes `\__other__`, so that it never mixes with the overflow. */
function escapeReserved(value: string): string {
  return /^\\*__other__$/.test(value) ? `\\${value}` : value
}

/**
 * The keys that a view gives to the events of one batch. Each combination of strings is decoded once a batch and
 * then found by a number, since a batch holds thousands of events and tens of keys.
 */
export class BatchKeys {
  #batch: EventBatch
  #columns: readonly (Uint32Array | null)[]
  #strings: number
  #known = new Map<number | string, CellKey>()

  constructor(batch: EventBatch, groupBy: readonly string[]) {
    this.#batch = batch
    this.#strings = batch.strings.offsets.length
    this.#columns = groupBy.map((name) => batch.dimensions.find((d) => d.name === name)?.value ?? null)
  }

  keyOf(row: number): CellKey {
    const id = this.#combination(row)
    const known = this.#known.get(id)
    if (known) return known
    const key = this.#read(row)
    this.#known.set(id, key)
    return key
  }

  #combination(row: number): number | string {
    const currency = this.#batch.currency[row] ?? 0
    let id = currency
    for (const column of this.#columns) {
      id = id * this.#strings + (column?.[row] ?? 0)
      // Past 2^53 a number would no longer tell combinations apart.
      if (id > Number.MAX_SAFE_INTEGER / this.#strings)
        return [currency, ...this.#columns.map((c) => c?.[row] ?? 0)].join()
    }
    return id
  }

  #read(row: number): CellKey {
    const { strings, currency } = this.#batch
    const dims = this.#columns.map((column) => {
      const index = column?.[row] ?? 0
      return index === 0 ? null : escapeReserved(stringAt(strings, index))
    })
    return cellKey(stringAt(strings, currency[row] ?? 0), dims)
  }
}

export function cellKey(currency: string, dims: readonly (string | null)[]): CellKey {
  return { text: JSON.stringify([currency, ...dims]), currency, dims }
}

/** The overflow key of a currency: amounts of two currencies are not added there either. */
export function otherKey(key: CellKey): CellKey {
  return cellKey(
    key.currency,
    key.dims.map(() => OTHER),
  )
}

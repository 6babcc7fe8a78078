import type { EventBatch } from '../../contracts/eventBatch'
import { stringAt } from '../../contracts/stringTable'
import { USER_ID } from '../../contracts/viewSpec'
import type { RowKeyParts } from '../row'
import { Scratch } from '../scratch'

/** Where events of keys beyond a view's cap are counted (semantics.md §8). Reserved: a real value is escaped. */
export const OTHER = '__other__'

/** `__other__` sent by a producer becomes `\__other__`, so that it never mixes with the overflow. */
export function escapeReserved(value: string): string {
  return /^\\*__other__$/.test(value) ? `\\${value}` : value
}

/**
 * The keys that a view gives to the events of one batch. A key is found by 96 bits of hash over its parts, without
 * making a string of it: a batch of a view by user holds as many keys as events.
 */
export class BatchKeys {
  readonly batch: EventBatch
  /** Of the batch's strings, four words each. */
  readonly hashes: Int32Array
  /** Currency, then the dimensions; null where no event of the batch has the dimension. */
  readonly columns: readonly (Uint32Array | null)[]
  /** Three words a row. */
  readonly #words: Int32Array
  /** Hash of the key last looked at. */
  a = 0
  b = 0
  c = 0

  constructor(batch: EventBatch, hashes: Int32Array, groupBy: readonly string[], scratch = new Scratch()) {
    this.batch = batch
    this.hashes = hashes
    const dims = groupBy.map((name) =>
      name === USER_ID ? batch.userId : (batch.dimensions.find((d) => d.name === name)?.value ?? null),
    )
    this.columns = [batch.currency, ...dims]
    this.#words = scratch.zeros(`keys ${JSON.stringify(groupBy)}`, batch.count * 3)
    for (const column of this.columns) addColumn(this.#words, column, hashes)
  }

  /** Sets `a`, `b`, `c` to the hash of the key of `row`. An absent value hashes as the empty string, which none is. */
  look(row: number): void {
    const words = this.#words
    this.a = words[row * 3] ?? 0
    this.b = words[row * 3 + 1] ?? 0
    this.c = words[row * 3 + 2] ?? 0
  }

  /** The key of `row` in words. */
  partsOf(row: number): RowKeyParts {
    const { strings } = this.batch
    const values = this.columns.map((column) => {
      const index = column?.[row] ?? 0
      return index === 0 ? null : stringAt(strings, index)
    })
    return keyParts(
      values[0] ?? '',
      values.slice(1).map((v) => (v === null ? null : escapeReserved(v))),
    )
  }
}

/** A row's key in words. Its text is made when it is asked for: most publications do not. */
class KeyParts implements RowKeyParts {
  readonly currency: string
  readonly dims: readonly (string | null)[]

  constructor(currency: string, dims: readonly (string | null)[]) {
    this.currency = currency
    this.dims = dims
  }

  get text(): string {
    return JSON.stringify([this.currency, ...this.dims])
  }
}

export function keyParts(currency: string, dims: readonly (string | null)[]): RowKeyParts {
  return new KeyParts(currency, dims)
}

/** The overflow key of a currency: amounts of two currencies are not added there either. */
export function otherKey(key: RowKeyParts): RowKeyParts {
  return keyParts(
    key.currency,
    key.dims.map(() => OTHER),
  )
}

/** Multiplied before each part, so that (x, y) and (y, x) are two keys. */
function addColumn(words: Int32Array, column: Uint32Array | null, hashes: Int32Array): void {
  for (let row = 0, k = 0; k < words.length; row++, k += 3) {
    const i = (column?.[row] ?? 0) * 4
    words[k] = Math.imul(words[k] ?? 0, 0x85ebca6b) + (hashes[i] ?? 0)
    words[k + 1] = Math.imul(words[k + 1] ?? 0, 0xc2b2ae35) + (hashes[i + 1] ?? 0)
    words[k + 2] = Math.imul(words[k + 2] ?? 0, 0x27d4eb2f) + (hashes[i + 2] ?? 0)
  }
}

/** The keys of one batch for all views: those of one grouping share them. */
export class KeysByGrouping {
  readonly #known = new Map<string, BatchKeys>()
  readonly #batch: EventBatch
  readonly #hashes: Int32Array
  readonly #scratch: Scratch

  constructor(batch: EventBatch, hashes: Int32Array, scratch = new Scratch()) {
    this.#batch = batch
    this.#hashes = hashes
    this.#scratch = scratch
  }

  of(groupBy: readonly string[]): BatchKeys {
    const name = JSON.stringify(groupBy)
    const known = this.#known.get(name) ?? new BatchKeys(this.#batch, this.#hashes, groupBy, this.#scratch)
    this.#known.set(name, known)
    return known
  }
}

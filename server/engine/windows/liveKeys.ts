import type { BatchKeys } from '../aggregate/batchKeys'
import { otherKey } from '../aggregate/batchKeys'
import type { RowKeyParts } from '../row'

export interface LiveKey {
  readonly id: number
  readonly parts: RowKeyParts
  /** It is the overflow key of its currency. */
  readonly isOther: boolean
}

interface Memo {
  readonly b: number
  readonly c: number
  readonly key: LiveKey
}

/**
 * The keys that have events in the live windows of a view of overlapping windows, or of sessions. The cap is over all
 * of them together: a key that is folded away in one window would be half counted in the next, which overlaps it.
 * After L was lowered, a later window may close before an earlier one: its keys live on until both have closed.
 */
export class LiveKeys {
  #byText = new Map<string, LiveKey>()
  #byId = new Map<number, LiveKey>()
  #others = 0
  #made = 0
  /** Keys of the present batch by the first word of their hash. */
  #memo = new Map<number, Memo>()

  beginBatch(): void {
    this.#memo.clear()
  }

  /** The key that `keys` last looked at, which is that of `row`. */
  keyOf(keys: BatchKeys, row: number, maxKeys: number): LiveKey {
    const memo = this.#memo.get(keys.a)
    if (memo && memo.b === keys.b && memo.c === keys.c) return memo.key
    const parts = keys.partsOf(row)
    const key = this.#known(parts, maxKeys)
    if (!memo && !key.isOther) this.#memo.set(keys.a, { b: keys.b, c: keys.c, key })
    return key
  }

  /** `keyOf` for an event that may not be counted: null when the key, or its overflow, is not held yet. */
  peek(keys: BatchKeys, row: number, maxKeys: number): LiveKey | null {
    const parts = keys.partsOf(row)
    const known = this.#byText.get(parts.text)
    if (known || !this.#isFull(parts, maxKeys)) return known ?? null
    return this.#byText.get(otherKey(parts).text) ?? null
  }

  /** The key under which a counted event stands: its own, or its overflow; null: neither is held. */
  counting(keys: BatchKeys, row: number): LiveKey | null {
    const parts = keys.partsOf(row)
    return this.#byText.get(parts.text) ?? this.#byText.get(otherKey(parts).text) ?? null
  }

  isOwn(keys: BatchKeys, row: number): boolean {
    return this.#byText.has(keys.partsOf(row).text)
  }

  #isFull(parts: RowKeyParts, maxKeys: number): boolean {
    return this.#byText.size - this.#others >= maxKeys && parts.dims.length > 0
  }

  #known(parts: RowKeyParts, maxKeys: number): LiveKey {
    const known = this.#byText.get(parts.text)
    if (known) return known
    if (!this.#isFull(parts, maxKeys)) return this.#make(parts, false)
    const other = otherKey(parts)
    return this.#byText.get(other.text) ?? this.#make(other, true)
  }

  #make(parts: RowKeyParts, isOther: boolean): LiveKey {
    const key = { id: ++this.#made, parts, isOther }
    this.#put(key)
    return key
  }

  #put(key: LiveKey): void {
    this.#byText.set(key.parts.text, key)
    this.#byId.set(key.id, key)
    if (key.isOther) this.#others++
  }

  byId(id: number): LiveKey {
    const key = this.#byId.get(id)
    if (!key) throw new RangeError(`no key ${id}`)
    return key
  }

  drop(id: number): void {
    const key = this.byId(id)
    this.#byText.delete(key.parts.text)
    this.#byId.delete(id)
    if (key.isOther) this.#others--
    this.#memo.clear()
  }

  get bytes(): number {
    let bytes = 0
    for (const text of this.#byText.keys()) bytes += KEY_BYTES + text.length * 2
    return bytes
  }

  save(): { made: number; keys: LiveKey[] } {
    return { made: this.#made, keys: [...this.#byId.values()] }
  }

  static restore({ made, keys }: ReturnType<LiveKeys['save']>): LiveKeys {
    const table = new LiveKeys()
    table.#made = made
    for (const key of keys) table.#put(key)
    return table
  }
}

/** A key's objects without its text, about. */
const KEY_BYTES = 200

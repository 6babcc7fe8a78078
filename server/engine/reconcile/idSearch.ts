import { EventBatchBuilder, ORDER } from '../../contracts/eventBatch'
import { type EventId, idName } from '../../contracts/lateStore'
import { hashTable } from '../aggregate/hash128'
import { contentHashes } from '../contentHash'
import { idHashes } from '../idHashes'
import { Scratch } from '../scratch'
import type { PastRecord } from './pastScan'

/** A counted event with one of the ids that are looked for. */
export interface Hit {
  readonly id: EventId
  readonly position: number
  readonly row: number
  /** Hash of its content, as `contentHashes`. */
  readonly content: number
}

interface Wanted {
  readonly id: EventId
  readonly b: number
  readonly c: number
  readonly d: number
}

/** Looks for counted events with certain ids, by 128 bits of hash, in one pass over records for all of them. */
export class IdSearch {
  readonly #byFirst = new Map<number, Wanted[]>()
  readonly #scratch = new Scratch()
  /** The first hit of each id, by `idName`. */
  readonly hits = new Map<string, Hit>()

  constructor(ids: readonly EventId[]) {
    const { words } = hashesOf(ids)
    ids.forEach((id, i) => {
      const [a = 0, b = 0, c = 0, d = 0] = words.subarray(i * 4, i * 4 + 4)
      const known = this.#byFirst.get(a) ?? []
      this.#byFirst.set(a, known)
      known.push({ id, b, c, d })
    })
  }

  see(record: PastRecord): void {
    const { batch, position } = record
    const hashes = hashTable(batch.strings, this.#scratch)
    const words = idHashes(batch, hashes, this.#scratch)
    let contents: Int32Array | null = null
    for (let row = 0; row < batch.count; row++) {
      const wanted = this.#wanted(words, row * 4)
      if (!wanted || !record.counted(row) || this.hits.has(idName(wanted.id))) continue
      contents ??= contentHashes(batch, hashes, this.#scratch)
      this.hits.set(idName(wanted.id), { id: wanted.id, position, row, content: contents[row] ?? 0 })
    }
  }

  #wanted(words: Int32Array, at: number): Wanted | undefined {
    return this.#byFirst
      .get(words[at] ?? 0)
      ?.find(({ b, c, d }) => words[at + 1] === b && words[at + 2] === c && words[at + 3] === d)
  }
}

/** Hashes of ids, four words each, as the engine keeps them. */
function hashesOf(ids: readonly EventId[]): { readonly words: Int32Array } {
  const builder = new EventBatchBuilder()
  for (const { source, eventId } of ids) {
    const nothing = {
      journalTime: 0,
      userId: null,
      type: ORDER,
      amountHi: 0,
      amountLo: 0,
      eventTime: 0,
    } as const
    builder.add({ ...nothing, source, eventId, orderId: '', currency: '', dimensions: [] })
  }
  const batch = builder.build()
  const scratch = new Scratch()
  return { words: idHashes(batch, hashTable(batch.strings, scratch), scratch) }
}

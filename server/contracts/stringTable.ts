/**
 * Strings of a batch as UTF-8 bytes: string i is `bytes[offsets[i] .. offsets[i+1])`. Index 0 is always the empty
 * string and stands for "absent", which no field of an accepted event is otherwise (ids have at least 1 character).
 */
export interface StringTable {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
}

/** A leading U+FEFF is a character of the string, not a mark of its encoding. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes string `index`. Not for the event path: the engine works on the bytes. */
export function stringAt(table: StringTable, index: number): string {
  const from = table.offsets[index]
  const to = table.offsets[index + 1]
  if (from === undefined || to === undefined) throw new RangeError(`string ${index} is not in the table`)
  return decoder.decode(table.bytes.subarray(from, to))
}

/** Grows a StringTable. `intern` gives equal strings one index; `append` does not look (ids that are unique anyway). */
export class StringTableBuilder {
  #buffer: Buffer
  #used = 0
  #ends: number[] = [0]
  #known = new Map<string, number>([['', 0]])

  constructor(expectedBytes = 4096) {
    this.#buffer = Buffer.allocUnsafe(Math.max(64, expectedBytes))
  }

  intern(text: string): number {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const index = this.append(text)
    this.#known.set(text, index)
    return index
  }

  append(text: string): number {
    const most = text.length * 3
    if (this.#used + most > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#used + most))
      this.#buffer.copy(grown, 0, 0, this.#used)
      this.#buffer = grown
    }
    this.#used += this.#buffer.write(text, this.#used, 'utf8')
    this.#ends.push(this.#used)
    return this.#ends.length - 1
  }

  build(): StringTable {
    const offsets = new Uint32Array(this.#ends.length + 1)
    for (let i = 0; i < this.#ends.length; i++) offsets[i + 1] = this.#ends[i] ?? 0
    return { bytes: Uint8Array.from(this.#buffer.subarray(0, this.#used)), offsets }
  }
}

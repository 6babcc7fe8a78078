import { hash128 } from '../aggregate/hash128'

/** Version of the layout of snapshots; a snapshot of a later one is refused. */
export const SNAPSHOT_FORMAT = 1
/** "TMSN": what every segment begins with. */
const MAGIC = 0x4e534d54

/** One part of a snapshot: a name and its bytes. The parts of one snapshot are kept and restored together. */
export interface SnapshotSegment {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A snapshot that this program cannot read; says why. Nothing is wrong with the journal: it can be folded from zero. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

type Column = Float64Array | Int32Array | Uint32Array | Uint8Array

const CHECKSUM_BYTES = 16

/** A hash of the first `end` bytes. */
function checksumOf(bytes: Uint8Array, end: number): Uint8Array {
  const words = new Int32Array(4)
  hash128(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, end, words, 0)
  return new Uint8Array(words.buffer)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const aligned = (n: number) => (n + 7) & ~7

/** Writes numbers, texts and whole columns one after the other, each at a multiple of 8 bytes, little endian. */
export class SegmentWriter {
  readonly #name: string
  #bytes = new Uint8Array(1024)
  #view = new DataView(this.#bytes.buffer)
  #at = 0

  constructor(name: string) {
    this.#name = name
    this.number(MAGIC).number(SNAPSHOT_FORMAT).text(name)
  }

  /** A double: any instant with ±Infinity, any count. */
  number(value: number): this {
    // Room first: taking it may replace the view.
    const at = this.#take(8)
    this.#view.setFloat64(at, value, true)
    return this
  }

  optional(value: number | null): this {
    return value === null ? this.flag(false) : this.flag(true).number(value)
  }

  flag(value: boolean): this {
    return this.number(value ? 1 : 0)
  }

  text(value: string): this {
    return this.column(encoder.encode(value))
  }

  texts(values: readonly string[]): this {
    this.number(values.length)
    for (const value of values) this.text(value)
    return this
  }

  /** A typed array as it lies in memory. */
  column(values: Column): this {
    this.number(values.byteLength)
    const at = this.#take(values.byteLength)
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
    return this
  }

  done(): SnapshotSegment {
    const end = this.#at
    const out = new Uint8Array(end + CHECKSUM_BYTES)
    out.set(this.#bytes.subarray(0, end))
    out.set(checksumOf(out, end), end)
    return { name: this.#name, bytes: out }
  }

  #take(size: number): number {
    const at = this.#at
    this.#at = aligned(at + size)
    if (this.#at > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#at, this.#bytes.length * 2))
      grown.set(this.#bytes)
      this.#bytes = grown
      this.#view = new DataView(grown.buffer)
    }
    return at
  }
}

/** Reads what a SegmentWriter wrote, in the same order. Throws SnapshotError when it is something else. */
export class SegmentReader {
  readonly #name: string
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #view: DataView
  /** Where its content ends and its checksum begins. */
  readonly #end: number
  #at = 0

  constructor(segment: SnapshotSegment) {
    this.#name = segment.name
    // A copy at offset 0: columns of 8-byte numbers need an aligned buffer, and a driver's buffer is pooled.
    this.#bytes = Uint8Array.from(segment.bytes)
    this.#view = new DataView(this.#bytes.buffer)
    this.#end = this.#bytes.length - CHECKSUM_BYTES
    this.#readHead()
  }

  #readHead(): void {
    if (this.#end < 16 || this.number() !== MAGIC) this.#refuse('it is no segment of a snapshot')
    const format = this.number()
    if (format > SNAPSHOT_FORMAT) {
      this.#refuse(
        `it was written by a newer Tidemark (format ${format}; this one reads up to ${SNAPSHOT_FORMAT})`,
      )
    }
    if (!checksumOf(this.#bytes, this.#end).every((byte, i) => byte === this.#bytes[this.#end + i])) {
      this.#refuse('it is damaged: its checksum does not match')
    }
    const name = this.text()
    if (name !== this.#name) this.#refuse(`it is segment ${JSON.stringify(name)}`)
  }

  number(): number {
    return this.#view.getFloat64(this.#take(8), true)
  }

  optional(): number | null {
    return this.flag() ? this.number() : null
  }

  flag(): boolean {
    return this.number() !== 0
  }

  text(): string {
    return decoder.decode(this.bytes())
  }

  texts(): string[] {
    return Array.from({ length: this.number() }, () => this.text())
  }

  bytes(): Uint8Array {
    const length = this.number()
    const at = this.#take(length)
    return this.#bytes.slice(at, at + length)
  }

  words(): Uint32Array {
    return new Uint32Array(this.bytes().buffer)
  }

  /** Hashes, which are kept signed. */
  ints(): Int32Array {
    return new Int32Array(this.bytes().buffer)
  }

  doubles(): Float64Array {
    return new Float64Array(this.bytes().buffer)
  }

  /** To be called when all was read. */
  end(): void {
    if (this.#at !== this.#end) this.#refuse('it is longer than what it should hold')
  }

  #take(size: number): number {
    const at = this.#at
    if (!(size >= 0) || at + size > this.#end) this.#refuse('it ends too early')
    this.#at = aligned(at + size)
    return at
  }

  #refuse(why: string): never {
    throw new SnapshotError(`snapshot segment ${JSON.stringify(this.#name)} cannot be read: ${why}`)
  }
}

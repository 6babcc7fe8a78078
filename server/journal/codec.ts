import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { Command, Order } from '../contracts/command'
import type { DimensionColumn, EventBatch } from '../contracts/eventBatch'
import type { JournalEntry, JournalKind, Mark } from '../contracts/journalRecord'
import { PipelineSpec } from '../contracts/pipelineSpec'
import type { Rejected } from '../contracts/quarantine'

/** Numbers of the kinds in the `kind` column. Never reused. */
export const KIND_NUMBERS: Record<JournalKind, number> = {
  events: 1,
  tick: 2,
  resumed: 3,
  spec: 4,
  end: 5,
  paused: 6,
  command: 7,
}

const CommandBody = z.object({ command: Command, order: Order })

/**
 * The body of an events record: a JSON header (counts, dimension names, rejected events, marks if any), then the columns one
 * after the other at multiples of 8 bytes, little endian as every machine that runs this. String lengths and, where
 * they fit, string indices take 2 bytes; a journal time that is the same for all events is stored once.
 */
interface Header {
  readonly v: 1
  readonly count: number
  readonly strings: number
  readonly stringBytes: number
  readonly wide: boolean
  readonly oneTime: number | null
  readonly dims: readonly string[]
  readonly rejected: readonly Rejected[]
  readonly marks?: readonly Mark[]
}

/** An entry's body as bytes. `decodeEntry` is its inverse. */
export function encodeEntry(entry: JournalEntry): Uint8Array {
  switch (entry.kind) {
    case 'events':
      return encodeBatch(entry)
    case 'resumed':
      return json({ pausedAt: entry.pausedAt })
    case 'spec':
      return json({ spec: entry.spec })
    case 'command':
      return json({ command: entry.command, order: entry.order })
    case 'tick':
    case 'paused':
    case 'end':
      return new Uint8Array(0)
  }
}

/**
 * Reads an entry back. Throws when kind, time and bytes do not match the checksum, or are of a newer format. Records
 * of before the checksum held kind and time are taken by that of their bytes alone.
 */
export function decodeEntry(kind: number, at: number, body: Uint8Array, checksum: number): JournalEntry {
  if (checksumOf(kind, at, body) !== checksum && crc32(body) !== checksum)
    throw new Error('its checksum does not match')
  switch (kind) {
    case KIND_NUMBERS.events:
      return { kind: 'events', at, ...decodeBatch(body) }
    case KIND_NUMBERS.tick:
      return { kind: 'tick', at }
    case KIND_NUMBERS.end:
      return { kind: 'end', at }
    case KIND_NUMBERS.paused:
      return { kind: 'paused', at }
    case KIND_NUMBERS.command:
      return { kind: 'command', at, ...CommandBody.parse(unjson(body)) }
    case KIND_NUMBERS.resumed:
      return { kind: 'resumed', at, pausedAt: (unjson(body) as { pausedAt: number }).pausedAt }
    case KIND_NUMBERS.spec:
      return { kind: 'spec', at, spec: PipelineSpec.parse((unjson(body) as { spec: unknown }).spec) }
    default:
      throw new Error(`journal record of unknown kind ${kind}: written by a newer Tidemark`)
  }
}

/** CRC-32 of what a record is: kind, journal time and body. */
export function checksumOf(kind: number, at: number, body: Uint8Array): number {
  return crc32(body, crc32(`${kind} ${at}`))
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8')
}

function unjson(body: Uint8Array): unknown {
  return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'))
}

type Column = Float64Array | Uint32Array | Uint16Array | Uint8Array

type EventsEntry = Extract<JournalEntry, { kind: 'events' }>

function encodeBatch({ batch, rejected, marks = [] }: EventsEntry): Uint8Array {
  const strings = batch.strings.offsets.length - 1
  const wide = strings > 0xffff
  const first = batch.journalTime[0] ?? null
  const oneTime = first !== null && batch.journalTime.every((t) => t === first) ? first : null
  const header = json({
    v: 1,
    count: batch.count,
    strings,
    stringBytes: batch.strings.bytes.length,
    wide,
    oneTime,
    dims: batch.dimensions.map((d) => d.name),
    rejected,
    // Left out without marks: such a record has the same bytes, and the same checksum, as ever.
    ...(marks.length > 0 && { marks }),
  } satisfies Header)
  const index = (column: Uint32Array): Column => (wide ? column : Uint16Array.from(column))
  return pack(header, [
    batch.strings.bytes,
    lengths(batch.strings.offsets),
    ...(oneTime === null ? [batch.journalTime] : []),
    batch.eventTime,
    index(batch.source),
    index(batch.eventId),
    index(batch.orderId),
    index(batch.userId),
    index(batch.currency),
    batch.type,
    batch.amountHi,
    batch.amountLo,
    ...batch.dimensions.map((d) => index(d.value)),
  ])
}

function lengths(offsets: Uint32Array): Uint16Array {
  const out = new Uint16Array(offsets.length - 1)
  for (let i = 0; i < out.length; i++) out[i] = (offsets[i + 1] ?? 0) - (offsets[i] ?? 0)
  return out
}

const aligned = (n: number) => (n + 7) & ~7

function pack(header: Uint8Array, columns: readonly Column[]): Uint8Array {
  const size = columns.reduce((sum, c) => aligned(sum) + c.byteLength, aligned(8 + header.length))
  const out = new Uint8Array(size)
  new DataView(out.buffer).setUint32(0, header.length, true)
  out.set(header, 8)
  let at = aligned(8 + header.length)
  for (const column of columns) {
    out.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at = aligned(at + column.byteLength)
  }
  return out
}

/** Takes columns off a body one after the other. */
class Unpacker {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly header: Header
  #at: number

  constructor(body: Uint8Array) {
    // A copy at offset 0: views of 8-byte numbers need an aligned buffer, and a driver's buffer is pooled.
    this.#bytes = Uint8Array.from(body)
    const length = new DataView(this.#bytes.buffer).getUint32(0, true)
    this.header = unjson(this.#bytes.subarray(8, 8 + length)) as Header
    if (this.header.v !== 1) throw new Error('journal record of a newer format: written by a newer Tidemark')
    this.#at = aligned(8 + length)
  }

  #take(bytes: number): number {
    const from = this.#at
    this.#at = aligned(from + bytes)
    return from
  }

  bytes(n: number): Uint8Array {
    const from = this.#take(n)
    return this.#bytes.subarray(from, from + n)
  }

  doubles(): Float64Array {
    return new Float64Array(this.#bytes.buffer, this.#take(this.header.count * 8), this.header.count)
  }

  words(): Uint32Array {
    return new Uint32Array(this.#bytes.buffer, this.#take(this.header.count * 4), this.header.count)
  }

  indices(): Uint32Array {
    if (this.header.wide) return this.words()
    const { count } = this.header
    return Uint32Array.from(new Uint16Array(this.#bytes.buffer, this.#take(count * 2), count))
  }

  offsets(): Uint32Array {
    const { strings } = this.header
    const short = new Uint16Array(this.#bytes.buffer, this.#take(strings * 2), strings)
    const out = new Uint32Array(strings + 1)
    for (let i = 0; i < strings; i++) out[i + 1] = (out[i] ?? 0) + (short[i] ?? 0)
    return out
  }
}

function decodeBatch(body: Uint8Array): Pick<EventsEntry, 'batch' | 'rejected' | 'marks'> {
  const from = new Unpacker(body)
  const { header } = from
  // Columns are read in the order in which they were written: object literals evaluate top to bottom.
  const strings = { bytes: from.bytes(header.stringBytes), offsets: from.offsets() }
  const batch: EventBatch = {
    count: header.count,
    strings,
    journalTime:
      header.oneTime === null ? from.doubles() : new Float64Array(header.count).fill(header.oneTime),
    eventTime: from.doubles(),
    source: from.indices(),
    eventId: from.indices(),
    orderId: from.indices(),
    userId: from.indices(),
    currency: from.indices(),
    type: from.bytes(header.count),
    amountHi: from.words(),
    amountLo: from.words(),
    dimensions: header.dims.map((name): DimensionColumn => ({ name, value: from.indices() })),
  }
  const { rejected, marks } = header
  return marks ? { batch, rejected, marks } : { batch, rejected }
}

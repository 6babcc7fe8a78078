/**
 * A backup is one gzip stream of frames: a letter, the length of what follows (4 bytes, big endian), and that.
 * H header · then for each table T (name and columns), D (data as COPY gives it, any number), E (rows and checksum) ·
 * M manifest, which is last. All but D are JSON.
 */
export type FrameKind = 'H' | 'T' | 'D' | 'E' | 'M'

export interface Frame {
  readonly kind: FrameKind
  readonly body: Buffer
}

const HEAD = 5
const KINDS = 'HTDEM'
/** COPY gives a chunk a row; a row holds a journal body of a few MiB, or a snapshot segment of tens. */
const LONGEST = 1024 * 1024 * 1024

/** The file is not what a backup is, or no longer. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged'
}

export function frame(kind: FrameKind, body: Buffer): Buffer {
  const head = Buffer.alloc(HEAD)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([head, body])
}

export function jsonFrame(kind: FrameKind, value: unknown): Buffer {
  return frame(kind, Buffer.from(JSON.stringify(value), 'utf8'))
}

/** Cuts a stream into frames. Throws BackupDamaged for bytes that are none, and where the stream ends within one. */
export async function* framesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let parts: Buffer[] = []
  let size = 0
  const take = (bytes: number): Buffer => {
    const all = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    parts = [all.subarray(bytes)]
    size -= bytes
    return all.subarray(0, bytes)
  }
  let head: { kind: FrameKind; length: number } | null = null
  for await (const chunk of stream) {
    parts.push(chunk)
    size += chunk.length
    for (;;) {
      if (!head && size >= HEAD) head = headOf(take(HEAD))
      if (!head || size < head.length) break
      yield { kind: head.kind, body: take(head.length) }
      head = null
    }
  }
  if (head || size > 0) throw new BackupDamaged('it ends in the middle')
}

function headOf(bytes: Buffer): { kind: FrameKind; length: number } {
  const kind = bytes.toString('latin1', 0, 1)
  const length = bytes.readUInt32BE(1)
  if (!KINDS.includes(kind) || length > LONGEST) throw new BackupDamaged('it holds what no backup holds')
  return { kind: kind as FrameKind, length }
}

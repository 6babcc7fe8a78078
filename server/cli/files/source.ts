import { createReadStream, type Stats, statSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FileProblem } from '../problem'

/** A file's text as a stream, unpacked when it is gzip. */
export interface TextSource {
  /** Ends where the file does, or where it can no longer be read: then `fault` says why. */
  readonly stream: PassThrough
  readonly size: number
  /** Bytes of the file itself, for progress. */
  bytesRead(): number
  fault(): string | null
}

/** Opens a file. Throws FileProblem when there is none, or it cannot be opened. */
export function openText(file: string): TextSource {
  const { size } = stat(file)
  const raw = createReadStream(file, { highWaterMark: 256 * 1024 })
  const out = new PassThrough({ highWaterMark: 1024 * 1024 })
  let fault: string | null = null
  // What could be read before a fault is still handed on: --skip-bad keeps it.
  const stopAt = (text: string) => {
    fault ??= text
    out.end()
  }
  raw.on('error', (error) => stopAt(`cannot be read (${error.message})`))
  if (file.endsWith('.gz')) {
    const gunzip = createGunzip()
    gunzip.on('error', (error) => stopAt(gzipFault(error)))
    raw.pipe(gunzip).pipe(out)
  } else raw.pipe(out)
  return { stream: out, size, bytesRead: () => raw.bytesRead, fault: () => fault }
}

function stat(file: string): Stats {
  try {
    const stats = statSync(file)
    if (stats.isFile()) return stats
  } catch (error) {
    throw new FileProblem(file, null, null, `cannot be opened (${(error as NodeJS.ErrnoException).code})`)
  }
  throw new FileProblem(file, null, null, 'is not a file')
}

function gzipFault(error: Error): string {
  return /unexpected end/.test(error.message)
    ? 'the gzip ends here, in the middle: the file was cut while it was copied, or is still being written'
    : `is not readable as gzip (${error.message})`
}

import { createGunzip } from 'node:zlib'
import { LIMITS } from '../contracts/limits'
import { AppError } from '../platform/errors'

/** Bytes unpacked a step: the most by which a bomb passes the limit. */
const CHUNK = 64 * 1024

/**
 * Unpacks a gzip body by stream and stops with `tooLarge()` at the first chunk past 4 MiB, so that a bomb costs what
 * a full request costs. Throws AppError `malformed_body` when the data is no gzip, ends early, or is followed by
 * anything but zeros, which are padding. `onBytes` may throw to refuse more.
 */
export async function gunzipBounded(
  packed: Buffer,
  tooLarge: () => AppError,
  onBytes: ((count: number) => void) | undefined,
): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK })
  const chunks: Buffer[] = []
  let size = 0
  gunzip.end(packed)
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > LIMITS.bodyBytes) throw tooLarge()
      onBytes?.(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof AppError ? error : notGzip(error)
  }
  return Buffer.concat(chunks, size)
}

function notGzip(error: unknown): AppError {
  const cut = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'
  return new AppError(
    'malformed_body',
    cut
      ? 'the gzip data ends too early. Nothing was stored'
      : 'the body says Content-Encoding: gzip and is no valid gzip data. Nothing was stored',
    { cause: error },
  )
}

import type { IncomingMessage } from 'node:http'
import { LIMITS } from '../contracts/limits'
import { AppError } from '../platform/errors'
import { gunzipBounded } from './gunzip'

/** A body slower than this is given up: a held connection costs memory and a place in flight. */
export const BODY_TIMEOUT = 30_000

export interface ReadBodyOptions {
  /** Whole time for the body, ms. */
  readonly timeout?: number
  /** Called with the bytes that were just taken into memory; may throw AppError to refuse more. */
  readonly onBytes?: (count: number) => void
}

/**
 * Reads a request's body, unpacked, at most 4 MiB before and after gzip (design.md §3). Throws AppError
 * `unsupported_media_type` (encoding), `body_too_large`, `malformed_body` (cut short, broken gzip),
 * `request_timeout`, and whatever `onBytes` throws. After an error the rest of the body is unread.
 */
export async function readBody(req: IncomingMessage, options: ReadBodyOptions = {}): Promise<Buffer> {
  const encoding = bodyEncoding(req)
  const declared = Number(req.headers['content-length'] ?? 0)
  if (declared > LIMITS.bodyBytes) throw tooLarge(`has ${declared} bytes`)
  const body = await collect(req, options)
  if (encoding === 'identity') return body
  return gunzipBounded(body, () => tooLarge('unpacks to more'), options.onBytes)
}

function tooLarge(what: string): AppError {
  return new AppError(
    'body_too_large',
    `the body ${what}; at most ${LIMITS.bodyBytes} bytes (4 MiB) are taken, before and after gzip: send fewer events at once. Nothing was stored`,
  )
}

function bodyEncoding(req: IncomingMessage): 'identity' | 'gzip' {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip'
  throw new AppError(
    'unsupported_media_type',
    `Content-Encoding ${JSON.stringify(encoding.slice(0, 40))} is not taken; send gzip or none`,
  )
}

/**
 * waiting for bytes → ended (resolve) | too large, refused, slow, cut short (reject). The first that happens counts;
 * afterwards no listener is left, so that the route may drain or keep the connection as it likes.
 */
function collect(req: IncomingMessage, options: ReadBodyOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (act: () => void) => {
      clearTimeout(timer)
      req.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut)
      // a socket that breaks later must not become an uncaught 'error'
      req.on('error', () => {})
      act()
    }
    const fail = (error: unknown) => {
      req.pause()
      settle(() => reject(error))
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > LIMITS.bodyBytes) return fail(tooLarge('is larger than that'))
      try {
        options.onBytes?.(chunk.length)
      } catch (error) {
        return fail(error)
      }
      chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, size)))
    const onCut = () => fail(cutShort(size))
    const timeout = options.timeout ?? BODY_TIMEOUT
    const timer = setTimeout(() => fail(tooSlow(size, timeout)), timeout)
    req.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
    if (req.destroyed) onCut()
  })
}

function cutShort(size: number): AppError {
  return new AppError(
    'malformed_body',
    `the connection ended after ${size} bytes of the body. Nothing was stored`,
  )
}

function tooSlow(size: number, timeout: number): AppError {
  return new AppError(
    'request_timeout',
    `the body did not arrive within ${timeout / 1000} s (${size} bytes came): send smaller requests. Nothing was stored`,
  )
}

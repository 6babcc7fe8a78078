import { isAscii, isUtf8 } from 'node:buffer'
import { AppError } from '../platform/errors'

/** The body as text, without a byte order mark. Throws AppError malformed_body with the byte that is not UTF-8. */
export function utf8Text(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  if (!isUtf8(bytes)) {
    throw new AppError(
      'malformed_body',
      `the body is not UTF-8: byte ${firstBadByte(bytes)} (from 0) belongs to no character. Nothing was stored`,
    )
  }
  const text = bytes.toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/**
 * Where the first character that is none begins: decoded leniently it is the first U+FFFD that was not sent as one,
 * and up to there bytes and text agree.
 */
function firstBadByte(bytes: Buffer): number {
  const text = bytes.toString('utf8')
  let at = 0
  let from = 0
  for (;;) {
    const found = text.indexOf('\ufffd', from)
    if (found < 0) return bytes.length
    at += Buffer.byteLength(text.slice(from, found))
    if (!bytes.subarray(at, at + 3).equals(REPLACEMENT)) return at
    at += REPLACEMENT.length
    from = found + 1
  }
}

const REPLACEMENT = Buffer.from('\ufffd')

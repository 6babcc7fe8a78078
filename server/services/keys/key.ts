import { createHash, randomBytes } from 'node:crypto'

/** `tm_` and 32 random bytes in base64url. */
export const KEY_PATTERN = /^tm_[A-Za-z0-9_-]{43}$/
const PREFIX_CHARS = 10

export function newKey(): string {
  return `tm_${randomBytes(32).toString('base64url')}`
}

/** SHA-256, hex. The key has 256 random bits: no salt and no slow hash would make it harder to guess. */
export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** What of a key may be shown, so that a person can tell keys apart. */
export function prefixOf(key: string): string {
  return key.slice(0, PREFIX_CHARS)
}

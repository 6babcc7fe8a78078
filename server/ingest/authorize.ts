import { createHash } from 'node:crypto'
import { SOURCE_NAME } from '../contracts/limits'
import { AppError } from '../platform/errors'
import type { RateLimit } from './rateLimit'

/** A key that was right. `sources`: names it may send as; empty means all. */
export interface IngestKey {
  readonly id: string
  readonly name: string
  readonly sources: readonly string[]
}

/** What ingest needs of services/keys: null for a key that is unknown or revoked. */
export interface KeyVerifier {
  verify(key: string): Promise<IngestKey | null>
}

const KEY_HELP =
  'send the header "Authorization: Bearer <key>" with an ingest key; `npm run keys -- create NAME` makes one'
const BEARER = /^bearer +([\x21-\x7e]{1,256})$/i
/** Keys that were right, by digest, so that one guesser cannot shut out the producers behind the same address. */
const REMEMBERED = 1_000

export type Authorize = (header: string | undefined, address: string) => Promise<IngestKey>

/**
 * Checks `Authorization: Bearer <key>`. Throws AppError `unauthorized`, or `rate_limited` for an address that keeps
 * trying wrong keys. Every key is verified each time: a revoked one stops at once.
 */
export function createAuthorize(keys: KeyVerifier, rates: RateLimit): Authorize {
  const right = new Set<string>()
  return async (header, address) => {
    const key = BEARER.exec(header?.trim() ?? '')?.[1]
    if (key === undefined) throw missing(header)
    const digest = createHash('sha256').update(key).digest('base64')
    if (!right.has(digest) && (await rates.isShut(address))) throw rates.shutError()
    const found = await keys.verify(key)
    if (!found) {
      right.delete(digest)
      await rates.countWrongKey(address)
      throw new AppError('unauthorized', `this key is unknown or was revoked: ${KEY_HELP}`)
    }
    if (right.size >= REMEMBERED) right.clear()
    right.add(digest)
    return found
  }
}

function missing(header: string | undefined): AppError {
  const what =
    header === undefined ? 'the request has no key' : 'the Authorization header is not "Bearer <key>"'
  return new AppError('unauthorized', `${what}: ${KEY_HELP}`)
}

/** Throws AppError `bad_request` for a name no source can have, `forbidden` for one the key may not send as. */
export function checkSource(source: unknown, key: IngestKey): asserts source is string {
  if (typeof source !== 'string' || !SOURCE_NAME.test(source)) {
    throw new AppError(
      'bad_request',
      'the source has no valid name: 1 to 64 letters, digits, dots, underscores, colons or hyphens, starting with a letter or digit',
    )
  }
  if (key.sources.length === 0 || key.sources.includes(source)) return
  throw new AppError(
    'forbidden',
    `key "${key.name}" may not send as source ${source}; it may as ${key.sources.join(', ')}: use another key, or widen this one`,
  )
}

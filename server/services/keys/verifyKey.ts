import { timingSafeEqual } from 'node:crypto'
import { type ApiKeyRow, findApiKey, touchApiKey } from '../../store/apiKeys'
import type { Store } from '../../store/client'
import { reading } from '../../store/databaseAway'
import { hashOf, KEY_PATTERN } from './key'

/** A key that is right: who sends, and as which sources (empty: all). */
export interface VerifiedKey {
  readonly id: string
  readonly name: string
  readonly sources: readonly string[]
}

export interface KeyVerifier {
  /** null for a key that is unknown, revoked or none. Rejects where the database does not answer. */
  verify(key: string): Promise<VerifiedKey | null>
}

export interface KeyVerifierDeps {
  readonly store: Store
  /** Wall clock, ms; a key's last use is noted by it. */
  readonly now?: () => number
  /** Monotonic clock, ms; the cache ages by it. */
  readonly monotonic?: () => number
}

/** How long an answer holds, good or bad, ms: the longest that a revoked key lives on. */
const CACHE_FOR = 2_000
/** Answers kept; a flood of wrong keys must not grow memory. */
const CACHE_SIZE = 10_000
/** A key's last use is noted at most this often, ms. */
const TOUCH_EVERY = 60_000

interface Cached {
  readonly until: number
  readonly answer: Promise<ApiKeyRow | null>
}

/**
 * Verifies keys by their hash, with an in-memory cache of 2 s, so that a busy producer costs one query every 2 s.
 * Requests that wait for the same key share one query.
 */
export function createKeyVerifier(deps: KeyVerifierDeps): KeyVerifier {
  const { store, now = Date.now, monotonic = () => performance.now() } = deps
  const cache = new Map<string, Cached>()
  const touched = new Map<string, number>()

  const lookUp = (hash: string): Promise<ApiKeyRow | null> => {
    const cached = cache.get(hash)
    if (cached && monotonic() < cached.until) return cached.answer
    const answer = reading(findApiKey(store, hash))
    // An answer that never came is not kept.
    answer.catch(() => cache.delete(hash))
    cache.delete(hash)
    if (cache.size >= CACHE_SIZE) forgetOldest(cache)
    cache.set(hash, { until: monotonic() + CACHE_FOR, answer })
    return answer
  }

  const touch = (id: string): void => {
    if (monotonic() < (touched.get(id) ?? Number.NEGATIVE_INFINITY) + TOUCH_EVERY) return
    touched.set(id, monotonic())
    // When it was last used is nice to know; no order waits for it or fails with it.
    touchApiKey(store, id, new Date(now())).catch(() => touched.delete(id))
  }

  return {
    async verify(key) {
      if (!KEY_PATTERN.test(key)) return null
      const hash = hashOf(key)
      const row = await lookUp(hash)
      if (!row || !sameHash(row.hash, hash)) return null
      touch(row.id)
      return { id: row.id, name: row.name, sources: row.sources }
    },
  }
}

function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** A Map keeps the order in which its keys were set: the first is the oldest. */
function forgetOldest(cache: Map<string, Cached>): void {
  for (const hash of cache.keys()) {
    cache.delete(hash)
    return
  }
}

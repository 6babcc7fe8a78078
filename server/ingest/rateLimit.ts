import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../platform/errors'

export interface RateLimits {
  /** Events a key may send in one second. */
  readonly eventsPerSecond: number
  /** Wrong keys that an address may try in one minute. */
  readonly wrongKeysPerMinute: number
}

export interface RateLimit {
  /** Takes `events` out of the key's second. Throws AppError `rate_limited`. */
  takeEvents(keyId: string, events: number): Promise<void>
  /** Counts a wrong key. Throws AppError `rate_limited` once the address has tried too many. */
  countWrongKey(address: string): Promise<void>
  /** True while keys from the address are not looked up (unless they were right before). */
  isShut(address: string): Promise<boolean>
  shutError(): AppError
}

const MINUTE = 60

/**
 * Limits in this process's memory (one process answers ingest: design.md §4). Counted in events, not requests, since
 * events are what costs; a request without any costs one.
 */
export function createRateLimit(limits: RateLimits): RateLimit {
  const events = new RateLimiterMemory({ keyPrefix: 'events', points: limits.eventsPerSecond, duration: 1 })
  const wrong = new RateLimiterMemory({
    keyPrefix: 'wrong-key',
    points: limits.wrongKeysPerMinute,
    duration: MINUTE,
  })
  const shutError = () =>
    new AppError(
      'rate_limited',
      `too many wrong keys came from this address (${limits.wrongKeysPerMinute} a minute are looked up): check the key`,
      { retryAfter: MINUTE },
    )
  return {
    takeEvents: (keyId, count) => takeEvents(events, limits.eventsPerSecond, keyId, count),
    countWrongKey: async (address) => {
      const seen = await wrong.penalty(address)
      if (seen.consumedPoints > limits.wrongKeysPerMinute) throw shutError()
    },
    isShut: async (address) => {
      const seen = await wrong.get(address)
      return seen !== null && seen.consumedPoints >= limits.wrongKeysPerMinute
    },
    shutError,
  }
}

async function takeEvents(
  limiter: RateLimiterMemory,
  most: number,
  keyId: string,
  count: number,
): Promise<void> {
  const needed = Math.max(1, count)
  // would be refused for ever, so Retry-After alone would mislead
  if (needed > most) throw limited(`this request alone has ${count} events`, most, 1)
  try {
    await limiter.consume(keyId, needed)
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    // what was refused does not count, or a producer that retries at once would shut itself out
    await limiter.reward(keyId, needed)
    throw limited(
      'the key has used up this second',
      most,
      Math.max(1, Math.ceil(refused.msBeforeNext / 1000)),
    )
  }
}

function limited(why: string, most: number, retryAfter: number): AppError {
  return new AppError(
    'rate_limited',
    `${why}; at most ${most} events a second are taken of one key: send more slowly or in smaller requests. Nothing was stored`,
    { retryAfter },
  )
}

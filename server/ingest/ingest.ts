import { LIMITS } from '../contracts/limits'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { Receipt } from '../contracts/receipt'
import type { Journal, JournalClock } from '../journal/port'
import type { ErrorCode } from '../platform/errors'
import { toAppError } from '../platform/errors'
import type { AdmissionLimits, Ticket } from './admission'
import { Admission } from './admission'
import type { Authorize, IngestKey, KeyVerifier } from './authorize'
import { checkSource, createAuthorize } from './authorize'
import { tooManyEvents } from './parseBody'
import type { RateLimit, RateLimits } from './rateLimit'
import { createRateLimit } from './rateLimit'
import { rulesFor } from './sourceRules'
import { takeEvents } from './takeEvents'

export interface IngestOptions {
  readonly journal: Pick<Journal, 'append'>
  readonly journalClock: JournalClock
  /** The pipeline as it is now; a change must be a new object. */
  readonly spec: () => PipelineSpec
  readonly keys: KeyVerifier
  readonly limits?: Partial<AdmissionLimits & RateLimits>
}

export const DEFAULT_LIMITS: AdmissionLimits & RateLimits = {
  requestsInFlight: 256,
  bytesWaiting: 64 * 1024 * 1024,
  eventsPerSecond: 100_000,
  wrongKeysPerMinute: 20,
}

export interface PushInput {
  readonly source: unknown
  readonly values: readonly unknown[]
  /** The text of event `i` as sent; asked for quarantined ones only, before `push` returns to its caller's awaits. */
  readonly rawOf: (i: number) => string
  readonly key: IngestKey
  /** Bytes of the body, for the counters. */
  readonly bytes?: number
}

export interface PushValuesInput {
  readonly source: unknown
  readonly events: readonly unknown[]
  /** The Authorization header as it came. */
  readonly authorization: string | undefined
  /** Where the request comes from, for the throttle of wrong keys. */
  readonly address: string
  /** Bytes of the body where the transport knows them. */
  readonly bytes?: number
}

/** Counted since start. `accepted + quarantined = events`; only what is durable counts, except `refused`. */
export interface IngestCounters {
  requests: number
  events: number
  accepted: number
  quarantined: number
  bytes: number
  /** Requests that failed as a whole, by code. */
  refused: Partial<Record<ErrorCode, number>>
}

export interface IngestHealth extends Readonly<IngestCounters> {
  readonly inFlight: number
  readonly bytesWaiting: number
}

export interface Ingest {
  readonly authorize: Authorize
  /** A place in flight. Throws AppError `too_many_requests_in_flight`. */
  enter(): Ticket
  /**
   * Checks and journals the events of an authorized request; resolves once they are durable (design.md §1.2).
   * Throws AppError `bad_request`, `forbidden`, `too_many_events`, `rate_limited`, or what the journal throws;
   * nothing is stored then. The caller holds the Ticket.
   */
  push(input: PushInput): Promise<Receipt>
  /** All of it for a transport that has parsed the body already (tRPC): authorize, take a place, push. */
  pushValues(input: PushValuesInput): Promise<Receipt>
  /** Counts a request that failed before or in `push`; `pushValues` does it itself. */
  countRefused(error: unknown): void
  health(): IngestHealth
}

interface Parts {
  readonly options: IngestOptions
  readonly rates: RateLimit
  readonly counters: IngestCounters
}

/** Composes the edge. All state is in memory: places in flight, rates, counters. */
export function createIngest(options: IngestOptions): Ingest {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const admission = new Admission(limits)
  const rates = createRateLimit(limits)
  const authorize = createAuthorize(options.keys, rates)
  const counters: IngestCounters = {
    requests: 0,
    events: 0,
    accepted: 0,
    quarantined: 0,
    bytes: 0,
    refused: {},
  }
  const parts = { options, rates, counters }
  const ingest: Ingest = {
    authorize,
    enter: () => admission.enter(),
    push: (input) => push(parts, input),
    pushValues: (input) => pushValues(ingest, input),
    countRefused: (error) => countRefused(counters, error),
    health: () => ({
      ...counters,
      refused: { ...counters.refused },
      inFlight: admission.inFlight,
      bytesWaiting: admission.bytesWaiting,
    }),
  }
  return ingest
}

/**
 * Returns the chain instead of awaiting the append: an async frame would keep the parsed objects, several times the
 * body's size, alive until the commit.
 */
async function push(parts: Parts, input: PushInput): Promise<Receipt> {
  checkSource(input.source, input.key)
  if (input.values.length > LIMITS.eventsPerRequest) throw tooManyEvents(input.values.length)
  await parts.rates.takeEvents(input.key.id, input.values.length)
  return journalEvents(parts, input.source, input)
}

/** One turn of the event loop from reading the clock to append, so that journal times go up with positions. */
function journalEvents({ options, counters }: Parts, source: string, input: PushInput): Promise<Receipt> {
  const at = options.journalClock()
  const { batch, rejected } = takeEvents(input.values, input.rawOf, rulesFor(options.spec(), source), at)
  const receipt = {
    received: input.values.length,
    accepted: batch.count,
    quarantined: rejected.map(({ index, eventId, code, message }) => ({ index, eventId, code, message })),
  }
  const finish = finisher(counters, receipt, input.bytes ?? 0)
  if (receipt.received === 0) return Promise.resolve(finish(null))
  return options.journal.append({ kind: 'events', at, batch, rejected }).then(finish)
}

/** Outside of `journalEvents`, so that what waits for the commit holds no more than the receipt. */
function finisher(counters: IngestCounters, receipt: Omit<Receipt, 'position'>, bytes: number) {
  return (position: number | null): Receipt => {
    counters.requests++
    counters.events += receipt.received
    counters.accepted += receipt.accepted
    counters.quarantined += receipt.quarantined.length
    counters.bytes += bytes
    return { ...receipt, position }
  }
}

/** What an event weighs in memory where nobody measured the body. */
const EVENT_BYTES = 512

async function pushValues(ingest: Ingest, input: PushValuesInput): Promise<Receipt> {
  let ticket: Ticket | null = null
  try {
    const { source, events, authorization, address } = input
    const key = await ingest.authorize(authorization, address)
    const bytes = input.bytes ?? events.length * EVENT_BYTES
    ticket = ingest.enter()
    ticket.hold(bytes)
    return await ingest.push({ source, values: events, rawOf: (i) => rawText(events[i]), key, bytes })
  } catch (error) {
    ingest.countRefused(error)
    throw error
  } finally {
    ticket?.leave()
  }
}

/** The value as compact JSON; '' for what cannot be written (deeper than the stack), which its flaw says. */
function rawText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

function countRefused(counters: IngestCounters, error: unknown): void {
  const { code } = toAppError(error)
  counters.refused[code] = (counters.refused[code] ?? 0) + 1
}

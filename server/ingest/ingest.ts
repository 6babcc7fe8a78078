import { LIMITS } from '../contracts/limits'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { Receipt } from '../contracts/receipt'
import type { Journal, JournalClock } from '../journal/port'
import type { AppError } from '../platform/errors'
import type { AdmissionLimits, Ticket } from './admission'
import { Admission } from './admission'
import type { Authorize, IngestKey, KeyVerifier } from './authorize'
import { checkSource, createAuthorize } from './authorize'
import { type Capacity, type CapacityGate, createCapacityGate } from './capacity'
import { countRefused, finisher, type IngestCounters, newCounters } from './counters'
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
  /** What the engine's state has room for; always, when left out. */
  readonly capacity?: Capacity
  /** Why nothing at all is taken right now; null, or left out: it is. */
  readonly refusal?: () => AppError | null
}

export const DEFAULT_LIMITS: AdmissionLimits & RateLimits = {
  requestsInFlight: 256,
  bytesWaiting: 64 * 1024 * 1024,
  eventsPerSecond: 100_000,
  wrongKeysPerMinute: 20,
}

export interface PushInput {
  readonly source: unknown
  /** Events, and marks in their order with them. */
  readonly values: readonly unknown[]
  /** The text of entry `i` as sent; asked for quarantined ones only, before `push` returns to its caller's awaits. */
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

export interface IngestHealth extends Readonly<IngestCounters> {
  readonly inFlight: number
  readonly bytesWaiting: number
}

export interface Ingest {
  readonly authorize: Authorize
  /** A place in flight. Throws AppError `too_many_requests_in_flight`. */
  enter(): Ticket
  /** For a transport that can refuse before it reads the body: throws `state_full` or `not_leader`, as `push` would. */
  readonly checkCapacity: CapacityGate
  /**
   * Checks and journals the entries of an authorized request; resolves once they are durable (design.md §1.2).
   * Throws AppError `bad_request`, `forbidden`, `too_many_events`, `state_full`, `rate_limited`, or what the journal
   * throws; nothing is stored then. The caller holds the Ticket.
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
  readonly checkCapacity: CapacityGate
}

/** Composes the edge. All state is in memory: places in flight, rates, counters. */
export function createIngest(options: IngestOptions): Ingest {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const admission = new Admission(limits)
  const rates = createRateLimit(limits)
  const authorize = createAuthorize(options.keys, rates)
  const counters = newCounters()
  const hasRoom = createCapacityGate(options, options.capacity)
  const checkCapacity: CapacityGate = (source) => {
    const refusal = options.refusal?.()
    if (refusal) throw refusal
    hasRoom(source)
  }
  const parts = { options, rates, counters, checkCapacity }
  const ingest: Ingest = {
    authorize,
    enter: () => admission.enter(),
    checkCapacity,
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
  // Before the rate: what is refused uses nothing up.
  parts.checkCapacity(input.source)
  await parts.rates.takeEvents(input.key.id, input.values.length)
  return journalEvents(parts, input.source, input)
}

/** One turn of the event loop from reading the clock to append, so that journal times go up with positions. */
function journalEvents({ options, counters }: Parts, source: string, input: PushInput): Promise<Receipt> {
  const at = options.journalClock()
  const rules = rulesFor(options.spec(), source)
  const { batch, marks, rejected } = takeEvents(input.values, input.rawOf, rules, at)
  const receipt = {
    received: batch.count + rejected.length,
    accepted: batch.count,
    marks: marks.length,
    quarantined: rejected.map(({ index, eventId, code, message }) => ({ index, eventId, code, message })),
  }
  const finish = finisher(counters, receipt, input.bytes ?? 0)
  if (input.values.length === 0) return Promise.resolve(finish(null))
  const marked = marks.length > 0 ? { marks } : {}
  return options.journal.append({ kind: 'events', at, batch, rejected, ...marked }).then(finish)
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

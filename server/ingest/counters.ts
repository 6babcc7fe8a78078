import type { Receipt } from '../contracts/receipt'
import type { ErrorCode } from '../platform/errors'
import { toAppError } from '../platform/errors'

/** Counted since start. `accepted + quarantined = events`; only what is durable counts, except `refused`. */
export interface IngestCounters {
  requests: number
  events: number
  accepted: number
  quarantined: number
  /** Accepted marks. */
  marks: number
  bytes: number
  /** Requests that failed as a whole, by code. */
  refused: Partial<Record<ErrorCode, number>>
}

export function newCounters(): IngestCounters {
  return { requests: 0, events: 0, accepted: 0, quarantined: 0, marks: 0, bytes: 0, refused: {} }
}

/** Makes the receipt once the request is durable, and counts it. Holds no more than that until then. */
export function finisher(counters: IngestCounters, receipt: Omit<Receipt, 'position'>, bytes: number) {
  return (position: number | null): Receipt => {
    counters.requests++
    counters.events += receipt.received
    counters.accepted += receipt.accepted
    counters.quarantined += receipt.quarantined.length
    counters.marks += receipt.marks
    counters.bytes += bytes
    return { ...receipt, position }
  }
}

export function countRefused(counters: IngestCounters, error: unknown): void {
  const { code } = toAppError(error)
  counters.refused[code] = (counters.refused[code] ?? 0) + 1
}

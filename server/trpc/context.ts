import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Receipt } from '../contracts/receipt'
import type { OperatorServices, ReadServices } from '../services/port'

/** What the ingest router passes on; the edge checks the key and every event. */
export interface Push {
  readonly source: string
  /** Events, and marks in their order with them. */
  readonly events: readonly unknown[]
  /** The Authorization header as it came, or null. */
  readonly authorization: string | null
  /** The peer's address, for the rate limit and the audit. */
  readonly address: string
}

export interface IngestPort {
  push(input: Push): Promise<Receipt>
}

/** Who a request comes from: the API key that it bears. */
export interface Caller {
  readonly id: string
  readonly name: string
}

/** Checks the Authorization header of a request. Throws AppError `unauthorized`, `rate_limited`. */
export type Authorize = (header: string | undefined, address: string) => Promise<Caller>

/** What main.ts hands to the routers. */
export interface TrpcDeps {
  readonly services: ReadServices
  readonly operator: OperatorServices
  readonly ingest: IngestPort
  readonly authorize: Authorize
}

export interface Context extends TrpcDeps {
  readonly authorization: string | null
  readonly address: string
  /** Named in every error and in the server log, so that one finds the other. */
  readonly requestId: string
}

export const REQUEST_ID_HEADER = 'x-request-id'

/** The id is ours, never the caller's: a log that quotes what a client sent can be forged. */
export function createContext(deps: TrpcDeps, req: IncomingMessage, res: ServerResponse): Context {
  const requestId = randomUUID()
  res.setHeader(REQUEST_ID_HEADER, requestId)
  return {
    ...deps,
    authorization: req.headers.authorization ?? null,
    address: req.socket.remoteAddress ?? 'unknown',
    requestId,
  }
}

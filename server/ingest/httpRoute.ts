import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Receipt } from '../contracts/receipt'
import { AppError, toAppError } from '../platform/errors'
import { checkSource } from './authorize'
import { bodyType } from './bodyType'
import type { Ingest } from './ingest'
import { parseBody } from './parseBody'
import { readBody } from './readBody'
import { sendError, sendJson } from './respond'

export interface HttpRouteOptions {
  /** Whole time for a body, ms. */
  readonly bodyTimeout?: number
  /** Told of every error that is ours to mend (5xx), with the id that the producer sees. */
  readonly onError?: (error: unknown, requestId: string) => void
}

/** Answers a request if its path is ours; false leaves it, untouched, to the next handler. Never rejects. */
export type HttpRoute = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>

const PREFIX = '/api/ingest/'

/** `POST /api/ingest/:source` for a plain Node server (design.md §3): JSON array or NDJSON in, receipt out. */
export function createHttpRoute(ingest: Ingest, options: HttpRouteOptions = {}): HttpRoute {
  return async (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    if (!path.startsWith(PREFIX)) return false
    const id = randomUUID()
    try {
      const receipt = await answer(ingest, req, path.slice(PREFIX.length), options)
      sendJson(req, res, 200, receipt, { 'X-Request-Id': id })
    } catch (error) {
      ingest.countRefused(error)
      const known = toAppError(error)
      if (known.status >= 500) options.onError?.(error, id)
      sendError(req, res, known, id)
    }
    return true
  }
}

/** Everything that can be refused without the body is refused before it is read. */
async function answer(
  ingest: Ingest,
  req: IncomingMessage,
  rest: string,
  options: HttpRouteOptions,
): Promise<Receipt> {
  if (req.method !== 'POST') {
    throw new AppError(
      'method_not_allowed',
      `${req.method} is not taken here: POST events to ${PREFIX}<source>`,
    )
  }
  const kind = bodyType(req)
  const source = sourceOf(rest)
  const key = await ingest.authorize(req.headers.authorization, req.socket.remoteAddress ?? 'unknown')
  checkSource(source, key)
  ingest.checkCapacity(source)
  const ticket = ingest.enter()
  try {
    const body = await readBody(req, { timeout: options.bodyTimeout, onBytes: ticket.hold })
    return await pushBody()
    // its own function and no await: the frame that waits for the commit must not hold the parsed objects
    function pushBody(): Promise<Receipt> {
      return ingest.push({ source, key, bytes: body.length, ...parseBody(body, kind) })
    }
  } finally {
    ticket.leave()
  }
}

/** The source as the path has it; '' (which no source is called) where it cannot be decoded. */
function sourceOf(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch {
    return ''
  }
}

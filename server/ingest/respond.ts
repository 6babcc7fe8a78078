import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AppError } from '../platform/errors'
import { BODY_TYPES } from './bodyType'

/** After an error the rest of a body is read and thrown away up to this much, for at most this long. */
const DRAIN_BYTES = 8 * 1024 * 1024
const DRAIN_MS = 2_000

/** Answers with JSON. Where the body is unread the connection closes after a bounded drain. */
export function sendJson(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.destroyed || res.headersSent) return
  const text = Buffer.from(JSON.stringify(body))
  const unread = hasUnreadBody(req)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': text.length,
    'Cache-Control': 'no-store',
    ...(unread ? { Connection: 'close' } : {}),
    ...headers,
  })
  if (!unread) return void res.end(text)
  res.write(text)
  drain(req, () => res.end())
}

/** Answers with an error's own words (design.md §3): code, message and the id under which the log has it. */
export function sendError(req: IncomingMessage, res: ServerResponse, error: AppError, id: string): void {
  const { code, message, status, retryAfter } = error
  const headers: Record<string, string> = { 'X-Request-Id': id }
  if (retryAfter !== null) headers['Retry-After'] = String(retryAfter)
  if (code === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer realm="tidemark ingest"'
  if (code === 'method_not_allowed') headers.Allow = 'POST'
  if (code === 'unsupported_media_type') {
    headers.Accept = BODY_TYPES.join(', ')
    headers['Accept-Encoding'] = 'gzip, identity'
  }
  sendJson(req, res, status, { error: { code, message, requestId: id } }, headers)
}

function hasUnreadBody(req: IncomingMessage): boolean {
  if (req.complete || req.destroyed) return false
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
}

/**
 * Closing a socket with unread bytes makes the kernel send a reset, and the producer loses the answer that says what
 * is wrong. So: answer, keep reading for a while, then close (what nginx calls a lingering close).
 */
function drain(req: IncomingMessage, done: () => void): void {
  let left = DRAIN_BYTES
  let open = true
  const finish = () => {
    if (!open) return
    open = false
    clearTimeout(timer)
    done()
  }
  const timer = setTimeout(finish, DRAIN_MS)
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) finish()
  })
  req.on('end', finish).on('close', finish).on('error', finish)
  req.resume()
}

import type { IncomingMessage } from 'node:http'

/** A page may open a socket only to the server that it came from; a client that is no browser sends no Origin. */
export function sameOrigin(req: IncomingMessage): boolean {
  const { origin, host } = req.headers
  if (origin === undefined) return true
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}

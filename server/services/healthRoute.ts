import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Health } from './health/health'

/** When a probe, or a producer, may ask again, s. */
const RETRY_AFTER = '2'

/**
 * `/api/health/live`: the process answers; 200 from the first moment, also while it migrates, so that nobody ends it
 * for that (field case 52). `/api/health/ready`: results are being written; else 503, and why and since when in words
 * (field case 49: health is progress, not a port that answers). Says nothing about the business.
 */
export function healthRoute(health: Pick<Health, 'readiness'>) {
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const path = (req.url ?? '').split('?', 1)[0]
    if (path === '/api/health/live') return reply(res, 200, { status: 'live' })
    if (path !== '/api/health/ready') return false
    const { ready, phase, reasons, status } = health.readiness()
    return reply(res, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      phase,
      reasons,
      catchingUp: status?.catchingUp ?? true,
      standby: status?.standby ?? null,
      trouble: status?.trouble ?? null,
      journaled: status?.journaled ?? null,
      committed: status?.committed ?? null,
    })
  }
}

function reply(res: ServerResponse, status: number, body: unknown): true {
  const wait = status === 503 ? { 'Retry-After': RETRY_AFTER } : {}
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...wait })
  res.end(JSON.stringify(body))
  return true
}

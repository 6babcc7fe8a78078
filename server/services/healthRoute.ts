import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReadServices } from './port'

/**
 * `/api/health/live`: the process answers. `/api/health/ready`: results are being written; 503 while catching up or
 * in trouble (field case 49: health is progress, not a port that answers). Says nothing about the business.
 */
export function healthRoute(services: Pick<ReadServices, 'status'>) {
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    if (req.url === '/api/health/live') return reply(res, 200, { status: 'live' })
    if (req.url !== '/api/health/ready') return false
    const { catchingUp, trouble, standby, journaled, committed } = services.status()
    const ready = !catchingUp && trouble === null && standby === null
    return reply(res, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      catchingUp,
      standby,
      trouble,
      journaled,
      committed,
    })
  }
}

function reply(res: ServerResponse, status: number, body: unknown): true {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  res.end(JSON.stringify(body))
  return true
}

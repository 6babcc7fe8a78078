import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { Health } from '@/server/services/health/health'
import { healthRoute } from '@/server/services/healthRoute'
import { source, status } from '@/tests/unit/app/builders'

function ask(url: string) {
  const health = new Health({ wall: Date.now, monotonic: () => performance.now() })
  health.follow({ status: () => status([source('secret-shop')], { journaled: 9, committed: 9 }) })
  const res = { writeHead: vi.fn(), end: vi.fn() }
  const handler = healthRoute(health)
  const handled = handler({ url } as IncomingMessage, res as unknown as ServerResponse)
  return { handled, status: res.writeHead.mock.calls[0]?.[0], body: String(res.end.mock.calls[0]?.[0]) }
}

describe('health over HTTP', () => {
  it('live is 200 in every phase; ready is 503 with the phase until the server runs', () => {
    expect(ask('/api/health/live')).toMatchObject({ handled: true, status: 200 })
    expect(ask('/api/health/ready?x=1')).toMatchObject({
      status: 503,
      body: expect.stringContaining('"starting"'),
    })
  })

  it('says nothing about the business: no source, no amount, no count of orders', () => {
    const { body } = ask('/api/health/ready')
    expect(body).not.toMatch(/secret-shop|amount|inTime|orders/)
  })

  it('leaves every other path alone', () => {
    expect(ask('/api/healthy').handled).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { prepareQuarantine } from '@/app/features/quarantine/prepare'
import { QUARANTINE_CODES } from '@/server/contracts/quarantine'
import { at, NOW, ZONE } from '../../builders'

describe('the quarantine', () => {
  it('every code is said in words, never as a code alone', () => {
    for (const code of QUARANTINE_CODES) {
      const row = {
        index: 0,
        source: 'pos-2',
        eventId: null,
        code,
        field: null,
        message: 'why',
        raw: '{}',
        cut: false,
        receivedAt: at(14, 20),
        position: 3,
      }
      const [line] = prepareQuarantine([row], ZONE, NOW)
      expect(line?.reason).toMatch(/^[A-Z][a-z ]+/)
      expect(line?.reason).not.toContain('_')
      expect(line).toMatchObject({ received: '14:20:00', key: '3/0' })
    }
  })
})

import { describe, expect, it } from 'vitest'
import { prepareNotices } from '@/app/features/notices/prepare'
import type { NoticeKind } from '@/server/contracts/notice'
import { at, NOW, ZONE } from '../../builders'

const KINDS: readonly NoticeKind[] = [
  'resends_history',
  'resends_history_over',
  'keys_over_cap',
  'sources_over_cap',
  'drift_over_limit',
  'drift_over',
]

describe('what the engine noticed', () => {
  it('names its subject in each kind, and says what it means', () => {
    const notices = KINDS.map((kind, position) => ({ kind, subject: 'pos-3', at: at(14, 20), position }))
    for (const line of prepareNotices(notices, ZONE, NOW)) {
      expect(line.says).toContain('pos-3')
      expect(line.means.length).toBeGreaterThan(10)
      expect(line.when).toContain('14:20')
    }
  })

  it('is quieter about what is over', () => {
    const over = KINDS.map((kind) => ({ kind, subject: 'a', at: NOW, position: 1 }))
    expect(prepareNotices(over, ZONE, NOW).map((line) => line.over)).toEqual([
      ...[false, true],
      ...[false, false, false, true],
    ])
  })
})

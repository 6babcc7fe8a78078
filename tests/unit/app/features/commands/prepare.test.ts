import { describe, expect, it } from 'vitest'
import { prepareCommands } from '@/app/features/commands/prepare'
import type { CommandDone } from '@/server/contracts/flush'
import { at, NOW, ZONE } from '../../builders'

function done(over: Partial<CommandDone> = {}): CommandDone {
  return {
    position: 7,
    at: at(14, 20),
    command: { kind: 'markIdle', source: 'pos-3' },
    order: { by: 'ann', reason: 'its till is off' },
    outcome: {
      kind: 'markIdle',
      refused: null,
      changes: ['source pos-3 marked idle'],
      watermarkBefore: at(14, 10),
      watermarkAfter: at(14, 19, 55),
    },
    ...over,
  }
}

describe('a command', () => {
  it('says who did what to whom, why, and where the watermark went', () => {
    const [line] = prepareCommands([done()], ZONE, NOW)
    expect(line).toMatchObject({
      says: 'ann marked idle: pos-3',
      reason: 'its till is off',
      came: 'source pos-3 marked idle',
      refused: false,
    })
    expect(line?.watermark).toMatch(/^watermark .*14:10.* → .*14:19:55/)
  })

  it('that was refused says why, and that the watermark stood is not said', () => {
    const outcome = {
      ...done().outcome,
      refused: 'there is no source pos-9',
      changes: [],
      watermarkAfter: at(14, 10),
    }
    const [line] = prepareCommands([done({ outcome })], ZONE, NOW)
    expect(line).toMatchObject({ came: 'there is no source pos-9', refused: true, watermark: null })
  })
})

import { describe, expect, test } from 'vitest'
import { touchedRows } from '../../support/anyProgram'
import { Run, tumbling } from '../../support/engine'

describe('11. watermark forgotten at restart', () => {
  test('an event for a window that closed before the crash is late, and the 7 stays', () => {
    const run = new Run({ views: [{ id: 'v', window: tumbling(5000) }] })
    for (let i = 0; i < 7; i++) run.events({ ts: i * 500 })
    run.events({ ts: 10_001 })
    expect([run.watermark, run.row('v', 0)]).toEqual([
      10_000,
      expect.objectContaining({ status: 'closed', events: 7 }),
    ])
    run.restart()
    const outcome = run.events({ ts: 3000 })
    expect(outcome.late).toMatchObject([{ windowStart: 0, watermark: 10_000 }])
    expect([touchedRows(outcome), outcome.revisions, run.watermark]).toEqual([[], [], 10_000])
    expect(run.row('v', 0)?.events).toBe(7)
  })
})

import { expect, test } from 'vitest'
import { pipelineStatus } from '@/server/runner/status'
import { StandstillWatch } from '@/server/services/health/standstill'
import { watch } from '@/tests/support/anyProgram'
import { everyProgram } from '@/tests/support/everyProgram'

test('no pipeline is said to stand still between two records, however it is driven: its watermark is where its sources say', () => {
  let looks = 0
  everyProgram(150, (program) => {
    watch(program, (run) => {
      // Replays of files end; a server's journal never does. Where a source was dropped, the next tick moves it.
      if (run.state.clock.ended || run.state.clock.stale) return
      const status = pipelineStatus(run.state, {
        now: 0,
        journaled: run.state.position,
        committed: run.state.position,
        databaseAt: ++looks,
        catchingUp: false,
        standby: null,
        backfill: null,
        trouble: null,
      })
      // A day without a record after this one: what stood then would be seen.
      const standstill = new StandstillWatch(86_400_000)
      standstill.look(status, 0)
      standstill.look({ ...status, databaseAt: -looks }, 86_400_000)
      const found = standstill.look({ ...status, databaseAt: ++looks }, 2 * 86_400_000)
      expect(found.filter(({ code }) => code === 'watermark_stands_still')).toEqual([])
    })
  })
  expect(looks).toBeGreaterThan(1_000)
})

import { describe, expect, test } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT } from '../../../server/contracts/instant'
import { take, watch } from '../../support/anyProgram'
import { Run } from '../../support/engine'
import { everyProgram } from '../../support/everyProgram'
import { type Item, recordsOf } from '../../support/program'

/** Watermarks that commands of a record forced; all of them, also refused ones. */
const forcedTo = (record: readonly Item[]) =>
  record.flatMap((item) => {
    return item.kind === 'command' && item.command.kind === 'forceWatermark' ? [item.command.to] : []
  })
const counting = (run: Run) => [...run.state.clock.sources.values()].filter((source) => !source.test)

describe('the watermark of any pipeline', () => {
  test('never goes back, whatever comes, not across restarts either', () => {
    everyProgram(150, (p, random) => {
      const run = new Run(p.spec, p.start)
      let last = MIN_INSTANT
      for (const record of recordsOf(p.items, p.cuts)) {
        if (random() < 0.3) run.restart()
        expect(run.watermark).toBe(last)
        const { revisions } = take(run, record)
        // Within a record too: windows fire in the order in which it rises. Both ends of time are null here.
        const firings = revisions.filter((r) => r.kind === 'on-time').flatMap((r) => r.watermark ?? [])
        expect(firings).toEqual([...firings].sort((a, b) => a - b))
        expect(run.watermark).toBeGreaterThanOrEqual(last)
        last = run.watermark
      }
    })
  })

  test('never exceeds the largest that a source of its has had, or the one that was forced', () => {
    everyProgram(150, (p) => {
      let most = MIN_INSTANT
      watch(p, (run, record, { command }) => {
        for (const source of counting(run)) most = Math.max(most, source.watermark)
        if (command?.refused === null) most = Math.max(most, ...forcedTo(record))
        if (run.state.clock.ended) most = MAX_INSTANT
        expect(run.watermark).toBeLessThanOrEqual(most)
      })
    })
  })

  test('never exceeds what was sent: the largest event time or mark less a millisecond, or what was forced', () => {
    everyProgram(150, (p) => {
      let most = MIN_INSTANT
      watch(p, (run, record) => {
        for (const item of record) {
          if (item.kind === 'event') most = Math.max(most, item.ts - 1)
          if (item.kind === 'mark') most = Math.max(most, item.mark - 1)
          if (item.kind === 'end') most = MAX_INSTANT
        }
        most = Math.max(most, ...forcedTo(record))
        expect(run.watermark).toBeLessThanOrEqual(most)
      })
    })
  })

  test('is where the active sources are, or past them: the slowest of them, or with none awake the furthest of all', () => {
    everyProgram(150, (p) => {
      watch(p, (run) => {
        // A set of sources that changed makes itself felt when time next passes.
        if (run.state.clock.stale) return
        const active = counting(run).filter((source) => !source.idle)
        const marks = (active.length > 0 ? active : counting(run)).map((source) => source.watermark)
        if (marks.length === 0) return
        const there = active.length > 0 ? Math.min(...marks) : Math.max(...marks)
        expect(run.watermark).toBeGreaterThanOrEqual(there)
      })
    })
  })

  test('of a source never goes back while it is one', () => {
    everyProgram(150, (p) => {
      let before = new Map<string, number>()
      watch(p, (run) => {
        const now = new Map([...run.state.clock.sources].map(([name, source]) => [name, source.watermark]))
        for (const [name, watermark] of now) {
          expect(watermark).toBeGreaterThanOrEqual(before.get(name) ?? MIN_INSTANT)
        }
        before = now
      })
    })
  })
})

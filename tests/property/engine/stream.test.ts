import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OutcomeCounts } from '../../../server/contracts/status'
import { Run } from '../../support/engine'
import { fold, type Program, program, recordsOf } from '../../support/program'

/** Folds a program record by record and looks at the engine after each. */
function watch(p: Program, look: (run: Run, received: Map<string, number>) => void): Run {
  const run = new Run(p.spec, p.start)
  const received = new Map<string, number>()
  for (const record of recordsOf(p.items, p.cuts)) {
    for (const item of record) {
      if (item.kind !== 'event' && item.kind !== 'reject') continue
      received.set(item.source, (received.get(item.source) ?? 0) + 1)
    }
    fold(run, record)
    look(run, received)
  }
  return run
}

function sum(c: OutcomeCounts): number {
  return c.inTime + c.corrected + c.late + c.duplicate + c.quarantined
}

describe('after every record', () => {
  test('the watermark has not gone back', () => {
    fc.assert(
      fc.property(program(), (p) => {
        let last = Number.NEGATIVE_INFINITY
        watch(p, (run) => {
          expect(run.watermark).toBeGreaterThanOrEqual(last)
          last = run.watermark
        })
        const published = new Run({ ...p.spec, coalesce: 'event' }, p.start)
        for (const item of p.items) fold(published, [item])
        const marks = published.revisions.map((r) => r.watermark ?? Number.NEGATIVE_INFINITY)
        expect(marks).toEqual([...marks].sort((a, b) => a - b))
      }),
      { numRuns: 100 },
    )
  })

  test('the watermark is not beyond that of the source that is furthest', () => {
    fc.assert(
      fc.property(program(), (p) => {
        watch(p, (run) => {
          const own = [...run.state.clock.sources.values()].map(
            (s) => s.maxTs - s.settings.strategy.bound - 1,
          )
          expect(run.watermark).toBeLessThanOrEqual(Math.max(Number.NEGATIVE_INFINITY, ...own))
        })
      }),
      { numRuns: 100 },
    )
  })

  test('received is the sum of the outcomes, overall and by source, and nobody else was told so', () => {
    fc.assert(
      fc.property(program(), (p) => {
        watch(p, ({ state, late, conflicts }, received) => {
          const bySource = [...state.countsBySource]
          for (const [name, counts] of bySource) {
            expect(counts.received).toBe(received.get(name) ?? 0)
            expect(sum(counts)).toBe(counts.received)
          }
          expect(sum(state.counts)).toBe(state.counts.received)
          expect(bySource.reduce((all, [, c]) => all + c.received, 0)).toBe(state.counts.received)
          expect([late.length, conflicts.length]).toEqual([state.counts.late, state.counts.conflict])
        })
      }),
      { numRuns: 100 },
    )
  })

  test('no open window is one that the watermark has reached, and no kept window one that it has closed', () => {
    fc.assert(
      fc.property(program(), (p) => {
        watch(p, (run) => {
          for (const view of run.state.pipeline?.views ?? []) {
            for (const w of view.windows.values()) {
              expect(w.fired).toBe(run.watermark >= w.end - 1)
              expect(run.watermark).toBeLessThan(w.end - 1 + run.spec.allowedLateness)
            }
          }
        })
      }),
      { numRuns: 100 },
    )
  })
})

describe('the same journal', () => {
  test('makes deeply equal outcomes', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const [one, two] = [new Run(p.spec, p.start), new Run(p.spec, p.start)]
        for (const record of recordsOf(p.items, p.cuts)) expect(fold(one, record)).toEqual(fold(two, record))
        expect([two.rows, two.state.counts, two.watermark]).toEqual([
          one.rows,
          one.state.counts,
          one.watermark,
        ])
      }),
      { numRuns: 80 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OutcomeCounts } from '../../../server/contracts/status'
import { same, take, touchedRows, watch } from '../../support/anyProgram'
import { Run } from '../../support/engine'
import { everyProgram } from '../../support/everyProgram'
import { fold, type Program, program, recordsOf } from '../../support/program'

/** Folds a program of bounded sources record by record and looks at the engine after each. */
function watchBounded(p: Program, look: (run: Run, received: Map<string, number>) => void): Run {
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
        watchBounded(p, (run) => {
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
        watchBounded(p, (run) => {
          const own = [...run.state.clock.sources.values()].map((s) => s.maxTs - (s.bound ?? 0) - 1)
          expect(run.watermark).toBeLessThanOrEqual(Math.max(Number.NEGATIVE_INFINITY, ...own))
        })
      }),
      { numRuns: 100 },
    )
  })

  test('received is the sum of the outcomes, overall and by source, and nobody else was told so', () => {
    fc.assert(
      fc.property(program(), (p) => {
        watchBounded(p, ({ state, late, conflicts }, received) => {
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

  test('received is the sum of the outcomes also with test sources, shared lanes and commands; nothing is uncounted', () => {
    everyProgram(150, (p) => {
      let sent = 0
      watch(p, ({ state, late, conflicts, missed }, record) => {
        sent += record.filter((item) => item.kind === 'event' || item.kind === 'reject').length
        const { counts } = state
        expect(counts.received + counts.test).toBe(sent)
        const total = { ...counts }
        for (const name of Object.keys(total) as (keyof OutcomeCounts)[]) Object.assign(total, { [name]: 0 })
        for (const [, own] of state.countsBySource) {
          expect(sum(own)).toBe(own.received)
          for (const [name, n] of Object.entries(own)) {
            Object.assign(total, { [name]: total[name as keyof OutcomeCounts] + n })
          }
        }
        same(total, counts)
        expect(sum(counts)).toBe(counts.received)
        expect(counts.conflict).toBeLessThanOrEqual(counts.duplicate)
        expect(counts.overflow).toBeLessThanOrEqual(counts.inTime + counts.corrected)
        expect([late.length, conflicts.length]).toEqual([counts.late, counts.conflict])
        expect(missed.length).toBeLessThanOrEqual(counts.inTime + counts.corrected)
      })
    })
  })

  test('no open window is one that the watermark has reached, and no kept window one that it has closed', () => {
    fc.assert(
      fc.property(program(), (p) => {
        watchBounded(p, (run) => {
          for (const view of run.state.pipeline?.views ?? []) {
            for (const w of view.windows()) {
              expect(w.fired).toBe(run.watermark >= w.end - 1)
              expect(run.watermark).toBeLessThan(w.end - 1 + run.spec.allowedLateness)
            }
          }
        })
      }),
      { numRuns: 100 },
    )
  })

  test('a held window has fired when its time reached its end, or by inactivity, and holds an event', () => {
    everyProgram(150, (p) => {
      watch(p, (run) => {
        for (const view of run.state.pipeline?.views ?? []) {
          const now = view.spec.time === 'journal' ? run.state.at - 1 : run.watermark
          let [open, fired] = [0, 0]
          for (const w of view.windows()) {
            expect([w.fired, w.byInactivity]).toEqual([
              w.byInactivity || now >= w.end - 1,
              w.byInactivity && now < w.end - 1,
            ])
            if (w.fired) fired++
            else open++
          }
          expect([view.openCount, view.firedCount]).toEqual([open, fired])
        }
      })
    })
  })

  test('every row that was published is among those that it changed, each of which is told once', () => {
    everyProgram(100, (p) => {
      watch(p, (_run, _record, outcome) => {
        const names = touchedRows(outcome).map(({ row }) => `${row.view}@${row.windowId} ${row.key.text}`)
        expect(new Set(names).size).toBe(names.length)
        const revised = outcome.revisions.map(
          (r) => `${r.view}@${r.windowId} ${JSON.stringify([r.currency, ...r.dims])}`,
        )
        expect(revised.filter((name) => !names.includes(name))).toEqual([])
      })
    })
  })
})

describe('the same journal', () => {
  test('makes deeply equal outcomes', () => {
    everyProgram(150, (p) => {
      const [one, two] = [new Run(p.spec, p.start), new Run(p.spec, p.start)]
      for (const record of recordsOf(p.items, p.cuts)) {
        const [a, b] = [take(one, record), take(two, record)]
        same({ ...a, touched: touchedRows(a) }, { ...b, touched: touchedRows(b) })
      }
      same([two.rows, two.state.counts, two.watermark], [one.rows, one.state.counts, one.watermark])
    })
  })
})

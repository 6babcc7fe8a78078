import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromDecimal, toUnits } from '../../../server/contracts/money'
import { type RowSeen, Run } from '../../support/engine'
import { fold, program, recordsOf } from '../../support/program'

const additive = (r: RowSeen) => [
  ...[r.gross, r.refunds, r.net].map((m) => toUnits(fromDecimal(m))),
  BigInt(r.events),
]
const currencyOf = (r: RowSeen): string => JSON.parse(r.key)[0]

/** Additive measures of a view, summed by currency and by the start of the window of `by` that holds the row. */
function totals(run: Run, view: string, by: string): Map<string, bigint[]> {
  const into = run.state.pipeline?.views.find((v) => v.spec.id === by)
  const sums = new Map<string, bigint[]>()
  for (const row of run.rows.values()) {
    if (row.view !== view) continue
    const key = `${into?.assign(row.start).start} ${currencyOf(row)}`
    const before = sums.get(key) ?? [0n, 0n, 0n, 0n]
    sums.set(
      key,
      additive(row).map((n, i) => n + (before[i] ?? 0n)),
    )
  }
  return sums
}

describe('views of one counted set, after every record', () => {
  test('minutes add up to hours and days in every additive measure', () => {
    fc.assert(
      fc.property(program(120), (p) => {
        const run = new Run(p.spec, p.start)
        for (const record of recordsOf(p.items, p.cuts)) {
          fold(run, record)
          for (const coarse of ['h', 'd'])
            expect(totals(run, 'm', coarse)).toEqual(totals(run, coarse, coarse))
        }
      }),
      { numRuns: 80 },
    )
  })

  test('every view counts the events that are in time or corrected, and no other', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const run = new Run(p.spec, p.start)
        for (const record of recordsOf(p.items, p.cuts)) {
          fold(run, record)
          const counted = new Map(run.spec.views.map((v) => [v.id, 0]))
          for (const row of run.rows.values())
            counted.set(row.view, (counted.get(row.view) ?? 0) + row.events)
          const { inTime, corrected } = run.state.counts
          for (const [view, events] of counted) expect([view, events]).toEqual([view, inTime + corrected])
        }
      }),
      { numRuns: 80 },
    )
  })

  test('a window holds no more keys than its view allows, `__other__` apart', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const run = new Run(p.spec, p.start)
        for (const record of recordsOf(p.items, p.cuts)) fold(run, record)
        const most = run.spec.views.find((v) => v.id === 'h')?.maxKeys ?? 0
        const keys = new Map<number, number>()
        for (const { view, start, key } of run.rows.values()) {
          if (view === 'h' && !key.includes('"__other__","__other__"'))
            keys.set(start, (keys.get(start) ?? 0) + 1)
        }
        for (const count of keys.values()) expect(count).toBeLessThanOrEqual(most)
      }),
      { numRuns: 80 },
    )
  })
})

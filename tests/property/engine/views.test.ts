import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromDecimal, toUnits } from '../../../server/contracts/money'
import type { ViewSpec } from '../../../server/contracts/viewSpec'
import { assignerOf } from '../../../server/engine/windows/assigner'
import { inForce, same, watch } from '../../support/anyProgram'
import { type RowSeen, Run } from '../../support/engine'
import { everyProgram } from '../../support/everyProgram'
import { fold, program, recordsOf } from '../../support/program'

const additive = (r: RowSeen) => [
  ...[r.gross, r.refunds, r.net].map((m) => toUnits(fromDecimal(m))),
  BigInt(r.events),
]
const currencyOf = (r: RowSeen): string => JSON.parse(r.key)[0]

/** Additive measures of rows, summed by currency and whatever else `by` says. */
function sums(
  rows: Iterable<RowSeen>,
  by: (row: RowSeen) => string | number = () => '',
): Map<string, bigint[]> {
  const all = new Map<string, bigint[]>()
  for (const row of rows) {
    const key = `${by(row)} ${currencyOf(row)}`
    const before = all.get(key) ?? [0n, 0n, 0n, 0n]
    all.set(
      key,
      additive(row).map((n, i) => n + (before[i] ?? 0n)),
    )
  }
  return all
}
const rowsOf = (run: Run, view: string) => [...run.rows.values()].filter((row) => row.view === view)

/** Views of which each event is in one window: those that can be compared row sum by row sum. */
const isPlain = ({ window }: ViewSpec) => window.kind === 'tumbling' || window.kind === 'calendar'
const countsOnce = (view: ViewSpec) => isPlain(view) || view.window.kind === 'session'

describe('views of one counted set, after every record', () => {
  test('minutes add up to hours, days, weeks and months in every additive measure, `__other__` and all', () => {
    everyProgram(120, (p) => {
      watch(p, (run) => {
        const base = run.state.pipeline?.base.spec
        if (base?.window.kind !== 'tumbling') return
        const minutes = rowsOf(run, base.id)
        for (const view of inForce(run).views) {
          if (!isPlain(view) || view.time === 'journal') continue
          const into = assignerOf(view.window)
          same(
            sums(rowsOf(run, view.id), (row) => row.start),
            sums(minutes, (row) => into(row.start).start),
          )
        }
      })
    })
  })

  test('the day so far is the sum of its minutes so far', () => {
    everyProgram(120, (p) => {
      const run = watch(p, () => {})
      run.end()
      const base = run.state.pipeline?.base.spec
      if (base?.window.kind !== 'tumbling') return
      const minutes = rowsOf(run, base.id)
      for (const view of inForce(run).views) {
        if (view.window.kind !== 'cumulate' || view.time === 'journal') continue
        for (const end of new Set(rowsOf(run, view.id).map((row) => row.end))) {
          const windows = rowsOf(run, view.id).filter((row) => row.end === end)
          const start = windows[0]?.start ?? 0
          const inside = minutes.filter((row) => start <= row.start && row.end <= end)
          same(sums(windows), sums(inside))
        }
      }
    })
  })

  test('every view shows the same events, gross and refunds, by arrival and in sessions too: those that are counted', () => {
    everyProgram(120, (p) => {
      watch(p, (run) => {
        const views = inForce(run).views.filter(countsOnce)
        const shown = views.map((view) =>
          sums(rowsOf(run, view.id).filter((row) => row.status !== 'superseded')),
        )
        for (const view of shown) same(view, shown[0])
        const { inTime, corrected } = run.state.counts
        const [first] = shown
        if (!first) return
        const events = [...first.values()].reduce((sum, [, , , n = 0n]) => sum + n, 0n)
        expect(events).toBe(BigInt(inTime + corrected))
      })
    })
  })

  test('minutes add up to hours and days in pipelines that hold many keys for long', () => {
    fc.assert(
      fc.property(program(120), (p) => {
        const run = new Run(p.spec, p.start)
        for (const record of recordsOf(p.items, p.cuts)) {
          fold(run, record)
          for (const coarse of run.spec.views.filter((v) => v.id === 'h' || v.id === 'd')) {
            const into = assignerOf(coarse.window)
            same(
              sums(rowsOf(run, 'm'), (row) => into(row.start).start),
              sums(rowsOf(run, coarse.id), (row) => row.start),
            )
          }
        }
      }),
      { numRuns: 80 },
    )
  })
})

describe('the cap on keys', () => {
  const isOther = (key: string) => {
    const [, ...dims] = JSON.parse(key)
    return dims.length > 0 && dims.every((dim: unknown) => dim === '__other__')
  }

  test('is what a window holds at most, `__other__` apart', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const run = new Run(p.spec, p.start)
        for (const record of recordsOf(p.items, p.cuts)) fold(run, record)
        const most = run.spec.views.find((v) => v.id === 'h')?.maxKeys ?? 0
        const keys = new Map<number, number>()
        for (const { start, key } of rowsOf(run, 'h')) {
          if (!isOther(key)) keys.set(start, (keys.get(start) ?? 0) + 1)
        }
        for (const count of keys.values()) expect(count).toBeLessThanOrEqual(most)
      }),
      { numRuns: 80 },
    )
  })

  test('is what the live windows of an overlapping view, or its live sessions, hold together at most', () => {
    everyProgram(120, (p) => {
      const most = new Map<string, number>()
      watch(p, (run) => {
        for (const { spec, liveRows } of (run.state.pipeline?.views ?? []).map((view) => ({
          spec: view.spec,
          liveRows: view.liveRows(),
        }))) {
          // A cap that was lowered lets go only of what is closed.
          most.set(spec.id, Math.max(most.get(spec.id) ?? 0, spec.maxKeys))
          if (isPlain(spec) || spec.groupBy.length === 0) continue
          const rows = [...liveRows].flatMap(({ group, ordinals }) =>
            ordinals.map((i) => group.row(i).key.text),
          )
          const keys = new Set(rows.filter((key) => !isOther(key)))
          expect(keys.size).toBeLessThanOrEqual(most.get(spec.id) ?? 0)
        }
      })
    })
  })

  test('is told in the counts: an event overflows when, and only when, a row of `__other__` takes it', () => {
    everyProgram(120, (p) => {
      const run = watch(p, () => {})
      const folded = inForce(run)
        .views.filter(countsOnce)
        .some((view) => {
          return rowsOf(run, view.id).some((row) => isOther(row.key) && row.status !== 'superseded')
        })
      if (folded) expect(run.state.counts.overflow).toBeGreaterThan(0)
      if (run.state.counts.overflow === 0)
        expect(run.notices.map((n) => n.kind)).not.toContain('keys_over_cap')
    })
  })
})

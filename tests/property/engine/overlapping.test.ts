import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { fromDecimal, toUnits } from '../../../server/contracts/money'
import type { ViewSpec } from '../../../server/contracts/viewSpec'
import type { WindowSpec } from '../../../server/contracts/windowSpec'
import { assignerOf } from '../../../server/engine/windows/assigner'
import { inForce, oneARecord, same, watch } from '../../support/anyProgram'
import type { Ev, Run } from '../../support/engine'
import { everyProgram } from '../../support/everyProgram'
import type { Program } from '../../support/program'

const units = (amount: string) => toUnits(fromDecimal(amount))

/** In how many windows of a view an instant is, counted by hand. */
function windowsOf(window: WindowSpec, at: number): number {
  if (window.kind === 'sliding') {
    const { size, slide, offset } = window
    // Starts in (at - size, at].
    return Math.floor((at - offset) / slide) - Math.floor((at - size - offset) / slide)
  }
  if (window.kind === 'cumulate') {
    const { start, end } = assignerOf(window.within)(at)
    return Math.ceil((end - start) / window.step) - Math.floor((at - start) / window.step)
  }
  return 1
}

type Sums = Map<string, bigint[]>
function add(sums: Sums, key: string, values: readonly bigint[]): void {
  const before = sums.get(key) ?? values.map(() => 0n)
  sums.set(
    key,
    before.map((n, i) => n + (values[i] ?? 0n)),
  )
}

/** Folds a program event by event to its very end, and says what each view should hold over all of its windows. */
function expectations(p: Program): { run: Run; expected: Map<string, Sums> } {
  const expected = new Map<string, Sums>()
  let before = 0
  const run = watch(oneARecord(p), (run, [item], { missed }) => {
    const counted = run.state.counts.inTime + run.state.counts.corrected
    if (item?.kind !== 'event' || counted === before) return
    before = counted
    const lost = missed.reduce((sum, m) => sum + m.windows, 0)
    const base = run.state.pipeline?.base.spec
    for (const view of inForce(run).views) {
      // A view of the same windows misses what the base view does.
      const misses = view.time === 'event' && isDeepStrictEqual(view.window, base?.window)
      addEvent(expected, view, item, item.at, misses ? lost : 0)
    }
  })
  // Views by journal time close by it.
  run.tick(run.state.at + 400 * 86_400_000)
  run.end()
  return { run, expected }
}

function addEvent(expected: Map<string, Sums>, view: ViewSpec, e: Ev, at: number, lost: number): void {
  const times = BigInt(windowsOf(view.window, view.time === 'journal' ? at : e.ts) - lost)
  const amount = units(e.amount ?? '0') * times
  const sums = expected.get(view.id) ?? new Map()
  expected.set(view.id, sums)
  add(sums, e.currency ?? 'USD', e.refund ? [0n, amount, times] : [amount, 0n, times])
}

describe('over all windows of a view', () => {
  test('each counted event is in every window of its time, less those that it missed: in events, gross and refunds', () => {
    everyProgram(120, (p) => {
      const { run, expected } = expectations(p)
      const shown = new Map<string, Sums>()
      for (const row of run.rows.values()) {
        if (row.status === 'superseded') continue
        const sums = shown.get(row.view) ?? new Map()
        shown.set(row.view, sums)
        add(sums, JSON.parse(row.key)[0], [units(row.gross), units(row.refunds), BigInt(row.events)])
      }
      same(shown, expected)
    })
  })

  test('every row has closed in the end, and what it shows is what was published last', () => {
    everyProgram(120, (p) => {
      const { run } = expectations(p)
      const last = new Map(
        run.revisions.map((r) => [
          `${r.view}@${r.windowId} ${JSON.stringify([r.currency, ...r.dims])}`,
          r.after,
        ]),
      )
      for (const [name, row] of run.rows) {
        if (row.status === 'superseded') continue
        expect(row.status).toBe('closed')
        expect(row).toMatchObject(last.get(name) ?? { events: 'never published' })
      }
    })
  })
})

describe('an event that misses windows', () => {
  test('misses fewer than it has, of the base view alone, and those are the first ones', () => {
    everyProgram(120, (p) => {
      watch(p, (run, record, { missed }) => {
        const base = run.state.pipeline?.base.spec
        const events = record.filter((item) => item.kind === 'event')
        for (const m of missed) {
          const e = events[m.row]
          expect([m.view, e !== undefined && base !== undefined]).toEqual([base?.id, true])
          if (!e || !base) continue
          expect(m.windows).toBeGreaterThan(0)
          expect(m.windows).toBeLessThan(windowsOf(base.window, e.ts))
          expect(m.firstStart <= e.ts && e.ts < m.lastEnd).toBe(true)
        }
      })
    })
  })
})

import { describe, expect, test } from 'vitest'
import { MAX_INSTANT, MIN_INSTANT } from '../../../server/contracts/instant'
import type { ViewSpec } from '../../../server/contracts/viewSpec'
import { assignerOf } from '../../../server/engine/windows/assigner'
import { inForce, touchedRows, watch } from '../../support/anyProgram'
import type { Run } from '../../support/engine'
import { every, everyProgram } from '../../support/everyProgram'
import { type PipelineProgram, pipelineProgram } from '../../support/program'

const windowOf = (w: { view: string; windowId: number }) => `${w.view}@${w.windowId}`
const viewOf = (run: Run, id: string): ViewSpec | undefined => inForce(run).views.find((v) => v.id === id)
const byEventTime = (run: Run, id: string) => viewOf(run, id)?.time === 'event'

/** Programs in which L stays what it is. */
const constantLateness = pipelineProgram(150).map((p): PipelineProgram => {
  const changesL = p.items.map((item) => item.kind === 'change' && item.change.what === 'allowedLateness')
  const keep = (_: unknown, i: number) => !changesL[i]
  return { ...p, items: p.items.filter(keep), cuts: p.cuts.filter(keep) }
})

describe('a window that closed', () => {
  test('is never opened again: no row of it is touched, no revision made, nor is it closed twice', () => {
    everyProgram(150, (p) => {
      const closed = new Set<string>()
      watch(p, (_run, _record, outcome) => {
        const touched = touchedRows(outcome).map(({ row }) => row)
        const opened = [...touched, ...outcome.revisions, ...outcome.closed].filter((w) =>
          closed.has(windowOf(w)),
        )
        expect(opened.map(windowOf)).toEqual([])
        for (const window of outcome.closed) closed.add(windowOf(window))
        expect(new Set(outcome.closed.map(windowOf)).size).toBe(outcome.closed.length)
      })
    })
  })

  test('had fired, and the watermark had reached its end; one by journal time was over', () => {
    everyProgram(150, (p) => {
      watch(p, (run, _record, { closed }) => {
        for (const window of closed) {
          for (const row of run.rows.values()) {
            if (windowOf(row) !== windowOf(window) || row.status === 'superseded') continue
            expect([row.status, row.revision > 0, row.byInactivity]).toEqual(['closed', true, false])
            const now = byEventTime(run, row.view) ? run.watermark : run.state.at - 1
            expect(now).toBeGreaterThanOrEqual(row.end - 1)
          }
        }
      })
    })
  })

  test('of the base view kept the L that it was made under: not closed before that, and not held after it', () => {
    everyProgram(150, (p) => {
      let before = new Map<number, number>()
      watch(p, (run, _record, { closed }) => {
        const base = run.state.pipeline?.base
        for (const { view, windowId } of closed) {
          if (view !== base?.spec.id) continue
          expect(run.watermark).toBeGreaterThanOrEqual(before.get(windowId) ?? MIN_INSTANT)
        }
        before = new Map([...(base?.windows() ?? [])].map((w) => [w.windowId, w.closesAt]))
        for (const closesAt of before.values()) expect(run.watermark).toBeLessThan(closesAt)
      })
    })
  })

  test('leaves no minute of its own that is held: an hour closes after its minutes', () => {
    everyProgram(150, (p) => {
      watch(p, (run, _record, { closed }) => {
        const base = run.state.pipeline?.base
        if (base?.spec.window.kind !== 'tumbling') return
        const held = [...base.windows()]
        for (const window of closed) {
          if (window.view === base.spec.id || !byEventTime(run, window.view)) continue
          for (const row of run.rows.values()) {
            if (windowOf(row) !== windowOf(window) || row.status === 'superseded') continue
            const inside = held.filter((w) => w.start < row.end && row.start < w.end)
            expect(inside.map((w) => w.start)).toEqual([])
          }
        }
      })
    })
  })
})

describe('nothing is published with a watermark that it contradicts (field case 22)', () => {
  test('a firing has one that has reached the end of its window', () => {
    everyProgram(150, (p) => {
      watch(p, (run, _record, { revisions }) => {
        for (const r of revisions) {
          if (r.kind !== 'on-time') continue
          if (!byEventTime(run, r.view)) expect(r.at).toBeGreaterThanOrEqual(r.end)
          else expect(r.watermark ?? MAX_INSTANT).toBeGreaterThanOrEqual(r.end - 1)
        }
      })
    })
  })

  test('a correction has one that has reached the end, unless inactivity fired its window, and not its close', () => {
    every(constantLateness, (p) => {
      const silent = new Set<string>()
      watch(p, (run, _record, { revisions }) => {
        for (const r of revisions) if (r.kind === 'inactivity') silent.add(windowOf(r))
        for (const r of revisions) {
          if (r.kind !== 'correction') continue
          const watermark = r.watermark ?? (run.state.clock.ended ? MAX_INSTANT : MIN_INSTANT)
          if (!silent.has(windowOf(r))) expect(watermark).toBeGreaterThanOrEqual(r.end - 1)
          expect(watermark).toBeLessThan(closes(run, r))
        }
      })
    })
  })

  test('what inactivity fires has one that has not', () => {
    everyProgram(150, (p) => {
      watch(p, (_run, _record, { revisions }) => {
        for (const r of revisions) {
          if (r.kind === 'inactivity') expect(r.watermark ?? MIN_INSTANT).toBeLessThan(r.end - 1)
        }
      })
    })
  })
})

/** Watermark at which a window closes where L was always the same. */
function closes(run: Run, window: { view: string; end: number }): number {
  const spec = inForce(run)
  const base = run.state.pipeline?.base.spec
  const view = viewOf(run, window.view)
  const own = window.end - 1 + spec.allowedLateness
  if (!base || !view || JSON.stringify(view.window) === JSON.stringify(base.window)) return own
  // An event at the very end of a session touches it.
  const last = view.window.kind === 'session' ? window.end : window.end - 1
  return assignerOf(base.window)(last).end - 1 + spec.allowedLateness
}

describe('a late event', () => {
  test('is told with a window that holds its time and that the watermark, less L, has passed or that lies before one that closed', () => {
    every(constantLateness, (p) => {
      watch(p, (run, record, { late }) => {
        const events = record.filter((item) => item.kind === 'event')
        for (const { row, windowStart, windowEnd, watermark, lateBy } of late) {
          const ts = events[row]?.ts ?? Number.NaN
          expect(windowStart <= ts && ts < windowEnd).toBe(true)
          const past = (watermark ?? MAX_INSTANT) - (windowEnd - 1 + inForce(run).allowedLateness)
          expect(past).toBeGreaterThanOrEqual(0)
          expect(lateBy).toBe(Math.min(past, Number.MAX_SAFE_INTEGER))
        }
      })
    })
  })
})

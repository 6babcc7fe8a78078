import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { restoreSnapshot, SnapshotError, takeSnapshot } from '../../../server/engine/snapshot'
import { inForce, same, take, touchedRows, watch } from '../../support/anyProgram'
import { Run } from '../../support/engine'
import { everyProgram } from '../../support/everyProgram'
import { pipelineProgram, recordsOf } from '../../support/program'

/** Everything that a record did and all that can be seen of the state after it. */
function seen(run: Run, outcome: ReturnType<typeof take>) {
  const { clock, counts, countsBySource, position, at, pipeline } = run.state
  const sources = [...clock.sources.values()].map((s) => {
    const { name, declared, settings, maxTs, watermark, idle, idleAfter, bound, wouldPause, resendsHistory } =
      s
    return [name, declared, settings, maxTs, watermark, idle, idleAfter, bound, wouldPause, resendsHistory]
  })
  const windows = pipeline?.views.map((view) => [view.spec.id, view.openCount, view.firedCount])
  const state = { position, at, counts, countsBySource: [...countsBySource], watermark: clock.watermark }
  return {
    ...{ outcome: { ...outcome, touched: touchedRows(outcome) }, ...state, sources, windows },
    // As it is kept: JSON knows no -0.
    ...{
      spec: JSON.parse(JSON.stringify(inForce(run))),
      ids: pipeline?.ids.size,
      horizon: pipeline?.horizon.end,
    },
  }
}

describe('a run that restarts after every record', () => {
  test('does what one does that never restarts: the same outcomes, in order, over all kinds of views', () => {
    everyProgram(120, (p) => {
      const [one, two] = [new Run(p.spec, p.start), new Run(p.spec, p.start)]
      two.restart()
      for (const record of recordsOf(p.items, p.cuts)) {
        const expected = seen(one, take(one, record))
        same(seen(two, take(two, record)), expected)
        two.restart()
      }
      expect(two.rows).toEqual(one.rows)
      expect(two.closed).toEqual(one.closed)
    })
  })

  test('holds the same rows after it as before it', () => {
    const liveRows = (run: Run) =>
      (run.state.pipeline?.views ?? []).map((view) =>
        [...view.liveRows()].flatMap(({ group, ordinals }) => ordinals.map((i) => group.row(i))),
      )
    const sorted = (rows: ReturnType<typeof liveRows>) =>
      rows.map((view) => view.map((row) => JSON.stringify(row)).sort())
    everyProgram(120, (p) => {
      const run = watch(p, () => {})
      const before = sorted(liveRows(run))
      run.restart()
      expect(sorted(liveRows(run))).toEqual(before)
    })
  })
})

describe('taking a snapshot', () => {
  test('does not change the state', () => {
    everyProgram(100, (p) => {
      const [plain, looked] = [new Run(p.spec, p.start), new Run(p.spec, p.start)]
      for (const record of recordsOf(p.items, p.cuts)) {
        takeSnapshot(looked.state)
        same(seen(looked, take(looked, record)), seen(plain, take(plain, record)))
      }
    })
  })
})

describe('a snapshot with one byte changed', () => {
  test('is refused as damaged, wherever the byte is', () => {
    const place = fc.record({ segment: fc.nat(), at: fc.nat(), by: fc.integer({ min: 1, max: 255 }) })
    fc.assert(
      fc.property(pipelineProgram(60), fc.array(place, { minLength: 5, maxLength: 5 }), (p, places) => {
        const segments = takeSnapshot(watch(p, () => {}).state)
        for (const { segment, at, by } of places) {
          const damaged = segments.map(({ name, bytes }) => ({ name, bytes: Uint8Array.from(bytes) }))
          const bytes = damaged[segment % damaged.length]?.bytes ?? new Uint8Array()
          bytes[at % bytes.length] = ((bytes[at % bytes.length] ?? 0) + by) % 256
          expect(() => restoreSnapshot(damaged)).toThrow(SnapshotError)
        }
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })
})

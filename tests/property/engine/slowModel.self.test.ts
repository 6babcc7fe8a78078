import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spec } from '../../support/engine'
import { type PipelineProgram, pipelineProgram, recordsOf } from '../../support/program'
import { writtenOut } from '../../support/program/changes'
import { SlowModel } from '../../support/slowModel/model'
import type { Counts, State, Told, View } from '../../support/slowModel/state'

/** Runs the model alone and looks at it after every record. */
function watch(program: PipelineProgram, look: (state: State, told: Told) => void): void {
  const model = new SlowModel(spec(program.spec), program.start)
  for (const record of recordsOf(program.items, program.cuts)) {
    const told = model.take(record.map((item) => writtenOut(item, model.state.spec)))
    look(model.state, told)
  }
}

function always(look: () => (state: State, told: Told) => void, most = 150, numRuns = 150): void {
  fc.assert(
    fc.property(pipelineProgram(most), (program) => watch(program, look())),
    { numRuns },
  )
}

const sum = (c: Counts) => c.inTime + c.corrected + c.late + c.duplicate + c.quarantined

/** Events of a view by `[currency]`, each as often as it is in a window. */
function eventsOf(view: View): Map<string, number> {
  const events = new Map<string, number>()
  for (const win of view.all) {
    if (win.state === 'superseded') continue
    for (const row of win.rows.values()) {
      for (const { item } of row.events) {
        const key = String(item.currency)
        events.set(key, (events.get(key) ?? 0) + 1)
      }
    }
  }
  return new Map([...events].sort())
}

describe('the slow model by itself', () => {
  test('counts each event once: received is the sum of the outcomes, overall and by source', () => {
    always(() => ({ counts, bySource }) => {
      const all = [...bySource.values()]
      for (const own of [counts, ...all]) expect(sum(own)).toBe(own.received)
      expect(all.reduce((total, own) => total + own.received, 0)).toBe(counts.received)
    })
  })

  test('never takes the watermark back', () => {
    always(() => {
      let last = Number.NEGATIVE_INFINITY
      return ({ W }) => {
        expect(W).toBeGreaterThanOrEqual(last)
        last = W
      }
    })
  })

  test('counts one set: views whose windows do not overlap hold the same events, all that were counted', () => {
    always(() => (state) => {
      const cut = state.views.filter((view) => {
        const kind = state.spec.views.find((v) => v.id === view.id)?.window.kind
        return kind === 'tumbling' || kind === 'calendar' || kind === 'session'
      })
      const [first, ...others] = cut.map(eventsOf)
      if (!first) return
      for (const other of others) expect(other).toEqual(first)
      const counted = [...first.values()].reduce((total, n) => total + n, 0)
      expect(counted).toBe(state.counts.inTime + state.counts.corrected)
    })
  })

  test('tells each row as a chain: numbered from 1, each revision from what the one before said', () => {
    always(() => {
      const last = new Map<string, { revision: number; after: string }>()
      return (_, told) => {
        for (const { view, windowId, key, revision, before, after } of told.revisions) {
          const name = `${view}@${windowId} ${key}`
          const one = last.get(name)
          expect([revision, before]).toEqual([(one?.revision ?? 0) + 1, one?.after ?? null])
          last.set(name, { revision, after })
        }
      }
    })
  })
})

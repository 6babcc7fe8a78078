import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromDecimal, toUnits } from '../../../server/contracts/money'
import type { Measures } from '../../../server/contracts/windowRow'
import { Run } from '../../support/engine'
import { fold, type Program, program } from '../../support/program'
import { SlowModel } from '../../support/slowModel'

const OUTCOMES = ['inTime', 'corrected', 'late', 'duplicate', 'quarantined'] as const

function inWords(m: Measures): string {
  const money = [m.gross, m.refunds, m.net].map((text) => toUnits(fromDecimal(text)))
  return [...money, m.orders, m.buyers, m.events].join(' ')
}

/** Runs both over the same program, one item a record, and compares them at every step and at the end. */
function compare(p: Program): void {
  const run = new Run({ ...p.spec, coalesce: 'event' }, p.start)
  const model = new SlowModel(run.spec, 'm', p.start)
  for (const item of p.items) {
    const before = { ...run.state.counts }
    fold(run, [item])
    const after = run.state.counts
    const said = OUTCOMES.flatMap((name) => Array<string>(after[name] - before[name]).fill(name))
    if (after.conflict > before.conflict) said[0] = 'conflict'
    expect(said).toEqual([model.take(item)].filter((word) => word !== 'nothing'))
    expect(run.watermark).toBe(model.W)
  }
  const late = run.late.map((l) => [l.id, l.windowStart, l.windowEnd, l.watermark, l.lateBy])
  expect(late).toEqual(model.late.map((l) => [l.id, l.start, l.end, l.W, l.by]))
  expect(rowsOf(run)).toEqual(rowsOfModel(model, run))
  const revisions = new Map<string, unknown[]>()
  for (const r of run.revisions) {
    const row = `${r.view}@${r.start} ${JSON.stringify([r.currency, ...r.dims])}`
    const entry = { kind: r.kind, watermark: r.watermark, values: inWords(r.after) }
    revisions.set(row, [...(revisions.get(row) ?? []), entry])
  }
  expect(revisions).toEqual(model.published)
}

function rowsOf(run: Run): Map<string, string> {
  return new Map([...run.rows].map(([name, row]) => [name, `${row.status} ${inWords(row)}`]))
}

function rowsOfModel(model: SlowModel, run: Run): Map<string, string> {
  const rows = new Map<string, string>()
  for (const view of run.spec.views) {
    for (const event of model.counted) {
      const { end } = model.span(view, event.ts)
      const status = model.isClosed(end) ? 'closed' : model.W >= end - 1 ? 'fired' : 'open'
      const name = model.rowOf(view, event)
      if (!rows.has(name)) rows.set(name, `${status} ${model.values(name)}`)
    }
  }
  return rows
}

describe('the engine and a slow model of the same rules', () => {
  test('agree on watermark, outcomes, rows, revisions and late set of short programs', () => {
    fc.assert(fc.property(program(25), compare), { numRuns: 1_000 })
  })

  test('agree on watermark, outcomes, rows, revisions and late set of long programs', () => {
    fc.assert(fc.property(program(300), compare), { numRuns: 30 })
  })
})

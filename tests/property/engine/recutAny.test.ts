import { describe, test } from 'vitest'
import { nameOf, same, take } from '../../support/anyProgram'
import { Run } from '../../support/engine'
import { everyProgram } from '../../support/everyProgram'
import { type Item, type PipelineProgram, recordsOf } from '../../support/program'

function runOf(p: PipelineProgram, records: readonly (readonly Item[])[], coalesce = p.spec.coalesce): Run {
  const run = new Run({ ...p.spec, coalesce }, p.start)
  for (const record of records) take(run, record)
  return run
}

/** All that may not depend on how the stream was cut: everything but the number of revisions between first and last. */
function told(run: Run) {
  const first = new Map<
    string,
    readonly [kind: string, before: unknown, after: unknown, watermark: number | null]
  >()
  for (const r of run.revisions) {
    if (!first.has(nameOf(r))) first.set(nameOf(r), [r.kind, r.before, r.after, r.watermark])
  }
  const rows = [...run.rows].map(
    ([name, { revision, ...row }]) => [name, { ...row, published: revision > 0 }] as const,
  )
  const { counts, countsBySource, clock } = run.state
  // Whether a source would be told to wait is looked at once a record, and is advice.
  const notices = run.notices.filter((n) => !n.kind.startsWith('drift')).map((n) => `${n.kind} ${n.subject}`)
  return {
    ...{ first, rows: new Map(rows), counts, countsBySource, notices: notices.sort() },
    ...{ watermark: clock.watermark, idle: clock.idleSources(), conflicts: run.conflicts },
    closed: run.closed.map((w) => `${w.view}@${w.windowId}`),
    late: run.late.map(({ row: _, ...late }) => late),
    missed: run.missed.map(({ row: _, ...missed }) => missed),
  }
}

describe('the same events cut into other records, for pipelines of all shapes', () => {
  test('make the same first and last values, outcomes, late set, misses, closings and watermark', () => {
    everyProgram(150, (p, random) => {
      const one = runOf(p, recordsOf(p.items, p.cuts))
      const other = runOf(
        p,
        recordsOf(
          p.items,
          p.items.map(() => random() < 0.3),
        ),
      )
      same(told(other), told(one))
    })
  })

  test('make the same when each event is a record of its own', () => {
    everyProgram(150, (p) => {
      const one = runOf(p, recordsOf(p.items, p.cuts))
      const alone = runOf(
        p,
        recordsOf(
          p.items,
          p.items.map(() => true),
        ),
      )
      same(told(alone), told(one))
    })
  })

  test('make the same with a revision for each event as with one a record', () => {
    everyProgram(150, (p) => {
      const records = recordsOf(p.items, p.cuts)
      same(told(runOf(p, records, 'event')), told(runOf(p, records, 'record')))
    })
  })
})

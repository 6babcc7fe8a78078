import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Run } from '../../support/engine'
import { fold, type Item, type Program, program, recordsOf } from '../../support/program'

function runOf(
  p: Program,
  records: readonly (readonly Item[])[],
  coalesce: 'record' | 'event' = 'record',
): Run {
  const run = new Run({ ...p.spec, coalesce }, p.start)
  for (const record of records) fold(run, record)
  return run
}

/** What a row was first published with, and what it stands at. */
function firstAndLast(run: Run) {
  const first = new Map<string, readonly [kind: string, before: unknown, after: unknown]>()
  for (const r of run.revisions) {
    const name = `${r.view}@${r.windowId} ${JSON.stringify([r.currency, ...r.dims])}`
    if (!first.has(name)) first.set(name, [r.kind, r.before, r.after])
  }
  return new Map(
    [...run.rows].map(([name, { revision, ...row }]) => {
      return [name, { first: first.get(name), published: revision > 0, row }]
    }),
  )
}

/** All that may not depend on how the stream was cut: everything but the number of revisions between. */
function values(run: Run) {
  const { counts, countsBySource } = run.state
  const late = run.late.map(({ row: _, ...late }) => late)
  const watermark = run.watermark
  return {
    rows: firstAndLast(run),
    late,
    conflicts: run.conflicts,
    closed: closedOf(run),
    watermark,
    counts,
    countsBySource,
  }
}

/** Without what names the moment between two events at which a window fired: who was left out, which closed first. */
function timeless(run: Run) {
  const rows = new Map(
    [...firstAndLast(run)].map(([name, { row, ...rest }]) => [name, { ...rest, ...row, leftOut: null }]),
  )
  return { ...values(run), rows, closed: closedOf(run).sort() }
}

function closedOf(run: Run): string[] {
  return run.closed.map((c) => `${c.view}@${c.windowId}`)
}

describe('the same events cut into other records', () => {
  test('make the same first and last values, outcomes, late set and watermark', () => {
    fc.assert(
      fc.property(program(), fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }), (p, cuts) => {
        const one = runOf(p, recordsOf(p.items, p.cuts))
        const other = runOf(p, recordsOf(p.items, cuts))
        expect(values(other)).toEqual(values(one))
      }),
      { numRuns: 80 },
    )
  })

  test('make the same values, outcomes and watermark also where a rejected event lost its own time', () => {
    fc.assert(
      fc.property(program(), fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }), (p, cuts) => {
        const one = runOf(p, recordsOf(p.items, p.cuts, true))
        const other = runOf(p, recordsOf(p.items, cuts, true))
        expect(timeless(other)).toEqual(timeless(one))
      }),
      { numRuns: 80 },
    )
  })

  test('make each event the outcome that it has alone', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const alone = new Run(p.spec, p.start)
        const together = new Run(p.spec, p.start)
        for (const record of recordsOf(p.items, p.cuts)) {
          for (const item of record) fold(alone, [item])
          fold(together, record)
          expect(together.state.countsBySource).toEqual(alone.state.countsBySource)
          expect(together.watermark).toBe(alone.watermark)
        }
      }),
      { numRuns: 80 },
    )
  })
})

describe('a revision for each event, or one a record', () => {
  test('make the same first and last values', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const records = recordsOf(p.items, p.cuts)
        expect(values(runOf(p, records, 'event'))).toEqual(values(runOf(p, records)))
      }),
      { numRuns: 80 },
    )
  })

  test('make one correction per counted late event and view when each makes its own', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const run = runOf(p, recordsOf(p.items, p.cuts), 'event')
        const corrections = run.revisions.filter((r) => r.kind === 'correction')
        for (const r of corrections) expect([r.eventCount, r.eventIds.length]).toEqual([1, 1])
        const base = corrections.filter((r) => r.view === 'm')
        expect(base.length).toBe(run.state.counts.corrected)
      }),
      { numRuns: 80 },
    )
  })
})

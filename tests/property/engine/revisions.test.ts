import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Revision } from '../../../server/contracts/windowRow'
import { nameOf, same, watch } from '../../support/anyProgram'
import { Run } from '../../support/engine'
import { everyProgram } from '../../support/everyProgram'
import { fold, type Program, program, recordsOf } from '../../support/program'

/** Reads a decimal with four places by itself: the property must not trust the code it looks at. */
const big = (text: string) => BigInt(text.replace('.', ''))

function runOf(p: Program): Run {
  const run = new Run(p.spec, p.start)
  for (const record of recordsOf(p.items, p.cuts)) fold(run, record)
  return run
}

describe('revisions of a row', () => {
  test('are a chain: numbered from 1, each starting from what the one before it said', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const run = runOf(p)
        const last = new Map<string, Revision>()
        for (const r of run.revisions) {
          const before = last.get(nameOf(r))
          expect(r.revision).toBe((before?.revision ?? 0) + 1)
          same(r.before, before?.after ?? null)
          if (before) expect(r.kind).toBe('correction')
          last.set(nameOf(r), r)
        }
        for (const [name, row] of run.rows) {
          const end = last.get(name)
          expect(row.revision).toBe(end?.revision ?? 0)
          expect(row.status === 'open').toBe(end === undefined)
          if (end) expect(row).toMatchObject(end.after)
        }
      }),
      { numRuns: 80 },
    )
  })

  test('say the exact change of the net', () => {
    fc.assert(
      fc.property(program(), (p) => {
        for (const r of runOf(p).revisions) {
          expect(big(r.deltaNet)).toBe(big(r.after.net) - big(r.before?.net ?? '0.0000'))
          expect(big(r.after.net)).toBe(big(r.after.gross) - big(r.after.refunds))
        }
      }),
      { numRuns: 80 },
    )
  })

  test('account for every event: the counts behind them add up to the row', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const behind = new Map<string, number>()
        const run = runOf(p)
        for (const r of run.revisions) {
          behind.set(nameOf(r), (behind.get(nameOf(r)) ?? 0) + r.eventCount)
          if (r.kind === 'correction') expect(r.eventIds.length).toBe(Math.min(20, r.eventCount))
          expect(r.after.events).toBe(behind.get(nameOf(r)))
        }
      }),
      { numRuns: 80 },
    )
  })

  test('are one a record for a window, the first from zero and the firing apart', () => {
    fc.assert(
      fc.property(program(), (p) => {
        const seen = new Set<string>()
        for (const r of runOf(p).revisions) {
          if (r.revision === 1) continue
          const name = `${r.pos} ${nameOf(r)}`
          expect(seen.has(name)).toBe(false)
          seen.add(name)
        }
      }),
      { numRuns: 80 },
    )
  })

  test('never carry a watermark that has not reached their window', () => {
    fc.assert(
      fc.property(program(), (p) => {
        for (const r of runOf(p).revisions) expect(r.watermark).toBeGreaterThanOrEqual(r.end - 1)
      }),
      { numRuns: 80 },
    )
  })
})

describe('revisions of rows of any view', () => {
  test('are a chain that ends where the row stands: a firing first or a correction from zero, retracted at most once', () => {
    everyProgram(150, (p) => {
      const run = watch(p, () => {})
      const chains = new Map<string, Revision[]>()
      for (const r of run.revisions) chains.set(nameOf(r), [...(chains.get(nameOf(r)) ?? []), r])
      for (const [name, chain] of chains) {
        chain.forEach((r, i) => {
          expect(r.revision).toBe(i + 1)
          same(r.before, chain[i - 1]?.after ?? null)
          expect(big(r.deltaNet)).toBe(big(r.after.net) - big(r.before?.net ?? '0.0000'))
          expect(kindsAt(i, chain[i - 1]?.kind)).toContain(r.kind)
        })
        const row = run.rows.get(name)
        expect(row).toMatchObject({ revision: chain.length, ...chain.at(-1)?.after })
        expect(row?.status === 'superseded').toBe(chain.at(-1)?.kind === 'superseded')
      }
      for (const [name, row] of run.rows) if (!chains.has(name)) expect(row.revision).toBe(0)
    })
  })

  test('by journal time are firings and nothing else', () => {
    everyProgram(150, (p) => {
      const run = watch(p, () => {})
      const views = new Map(run.spec.views.map((view) => [view.id, view.time]))
      for (const r of run.revisions) {
        if (views.get(r.view) === 'journal') expect([r.kind, r.revision]).toEqual(['on-time', 1])
      }
    })
  })

  test('are one a record for a row where records are coalesced, the first from zero and the firings apart', () => {
    everyProgram(150, (p) => {
      watch(
        { ...p, items: p.items.filter((item) => item.kind !== 'change') },
        (run, _record, { revisions }) => {
          if (run.spec.coalesce !== 'record') return
          const corrected = revisions.filter((r) => r.kind === 'correction' && r.revision > 1).map(nameOf)
          expect(new Set(corrected).size).toBe(corrected.length)
        },
      )
    })
  })

  test('name up to 20 of the events behind them, that are of the record and of the key', () => {
    everyProgram(150, (p) => {
      watch(p, (_run, record, { revisions }) => {
        for (const r of revisions) {
          const corrects = r.kind === 'correction'
          expect(r.eventIds.length).toBe(corrects ? Math.min(20, r.eventCount) : 0)
          const ids = record.flatMap((item) => {
            return item.kind === 'event' && item.currency === r.currency ? [item.id] : []
          })
          for (const id of r.eventIds) expect(ids).toContain(id)
        }
      })
    })
  })
})

/** What a revision may be, by its place and the kind before it. */
function kindsAt(place: number, before: Revision['kind'] | undefined): Revision['kind'][] {
  if (place === 0) return ['on-time', 'inactivity', 'correction']
  if (before === 'superseded') return []
  return ['correction', 'superseded', 'on-time']
}

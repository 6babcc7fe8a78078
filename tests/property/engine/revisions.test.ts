import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Revision } from '../../../server/contracts/windowRow'
import { Run } from '../../support/engine'
import { fold, type Program, program, recordsOf } from '../../support/program'

const nameOf = (r: Revision) => `${r.view}@${r.start} ${JSON.stringify([r.currency, ...r.dims])}`
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
          expect(r.before).toEqual(before?.after ?? null)
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
